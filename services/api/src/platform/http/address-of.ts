import type { Request } from "express";

/**
 * The address of the installation as the client of a request wrote it, without a slash at its end: that of the page it
 * comes from, or else the host that it was sent to. The sender of the request chooses it, so only links for the same
 * account may contain it.
 */
export function addressOf(request: Request): string {
  const { origin = "", host = "" } = request.headers;
  if (/^https?:\/\//.test(origin) && URL.canParse(origin)) return new URL(origin).origin;
  const address = `${request.protocol}://${host}`;
  return URL.canParse(address) ? new URL(address).origin : "http://localhost";
}
