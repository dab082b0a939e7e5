import type { IncomingMessage } from "node:http";

/** The address of the installation as the caller knows it, without a slash at its end. */
export function originOf({ headers }: Pick<IncomingMessage, "headers">, publicUrl: string | null): string {
  const host = headers["x-forwarded-host"] ?? headers.host ?? "";
  return publicUrl ?? `${headers["x-forwarded-proto"] ?? "http"}://${host}`;
}

/** X-Forwarded-For of calls that a request causes. The api decides which of its proxies it believes. */
export function forwardedFor({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">): string {
  return [headers["x-forwarded-for"], socket.remoteAddress].filter(Boolean).join(", ");
}
