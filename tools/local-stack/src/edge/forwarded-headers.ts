import type { IncomingMessage } from "node:http";

/**
 * Tells the services who is calling. What a client says about itself is dropped, because the services trust this edge;
 * only behind a further proxy (`trustForwarded`) is its X-Forwarded-For continued.
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
