import type { IncomingMessage } from "node:http";

/**
 * Sets the headers from which services read the address of the client. They trust this edge, so such headers of a
 * client are replaced. Only behind a further proxy (`trustForwarded`) the address is appended to its X-Forwarded-For.
 */
export function setForwardedHeaders(request: IncomingMessage, trustForwarded: boolean): void {
  const { headers } = request;
  const peer = request.socket.remoteAddress ?? "unknown";
  const before = headers["x-forwarded-for"];
  headers["x-forwarded-for"] = trustForwarded && before !== undefined ? `${String(before)}, ${peer}` : peer;
  if (!trustForwarded || headers["x-forwarded-proto"] === undefined) headers["x-forwarded-proto"] = "http";
  if (!trustForwarded || headers["x-forwarded-host"] === undefined) headers["x-forwarded-host"] = headers.host ?? "";
  delete headers.forwarded;
}
