import type { Request } from "express";

/** Where a request comes from. */
export interface Device {
  /** Of the client, as in the rate limits. */
  address: string;
  userAgent: string | undefined;
}

/** A socket that is already closed has no address. */
export function deviceOf(request: Request): Device {
  return { address: request.ip ?? "unknown", userAgent: request.headers["user-agent"] };
}
