import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import { errorBody, errorTexts } from "@parley/contracts";
import { refusalOfHead } from "./request-head.js";

/** The headers of docs/protocol/requests.md#1.7 on every answer. */
export const securityHeaders = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "strict-origin-when-cross-origin",
} as const;

/** Connections that have been sent their last response. Further data on them is not answered. */
const refused = new WeakSet<Duplex>();

/** Takes over a connection whose request has an Upgrade header. */
export type UpgradeListener = (this: Server, request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * Creates a node:http server. Requests that Node.js would refuse with an empty body get an error body
 * (docs/protocol/requests.md#1.4), and 400 instead of 408, 413, 417 and 431, which the interface does not have. They are not
 * passed to the handler, unless only the body is malformed; neither are requests with an ambiguous head.
 *
 * @param onUpgrade takes over upgrades; without it, requests for another protocol are answered like all others
 */
export function createHttpServer(
  options: ServerOptions,
  handler: RequestListener,
  onUpgrade?: UpgradeListener,
): Server {
  const server = createServer({ ...options, requireHostHeader: false }, (request, response) => {
    const refusal = refusalOfHead(request);
    if (refusal === null) handler(request, response);
    else refuseRequest(response, refusal);
  });
  // With a listener for upgrades, Node.js does not pass them to the handler, so none is added without onUpgrade.
  if (onUpgrade !== undefined) {
    server.on("upgrade", function (this: Server, request, socket, head) {
      const refusal = refusalOfHead(request);
      if (refusal === null) onUpgrade.call(this, request, socket, head);
      else endWith(socket, "400 Bad Request", refusal);
    });
  }
  const latest = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>();
  server.prependListener("request", (request, response) => latest.set(request.socket, { request, response }));
  server.on("clientError", (error, socket) => {
    // Node.js emits the event again for further data on the connection.
    if (refused.has(socket)) return;
    refused.add(socket);
    const { request, response } = latest.get(socket) ?? {};
    if (response === undefined || response.writableFinished) answerMalformed(error, socket);
    // The malformed data follows a complete request, whose response is sent first.
    else if (request?.complete === true) response.once("close", () => answerMalformed(error, socket));
    // A response that has begun cannot be replaced by an error.
    else if (response.headersSent) socket.destroy();
    else answerMalformed(error, socket);
  });
  server.on("checkExpectation", (_request, response) => refuseRequest(response, errorTexts.expect_unsupported));
  server.on("connect", (_request, socket) => {
    endWith(socket, "404 Not Found", errorTexts.not_found);
  });
  return server;
}

/** Answers on a socket without a `ServerResponse`, and closes it. */
function endWith(socket: Duplex, status: string, text: string): void {
  socket.on("error", () => socket.destroy());
  socket.end(closingErrorText(status, text), () => socket.destroy());
}

/** Answers 400 and closes the connection, without waiting for the rest of the request. */
export function refuseRequest(response: ServerResponse, text: string): void {
  const { socket } = response;
  if (response.headersSent) {
    socket?.destroy();
    return;
  }
  if (socket !== null) refused.add(socket);
  const { headers, body } = closingError(text);
  response.writeHead(400, headers);
  response.end(body, () => socket?.destroySoon());
}

function answerMalformed(error: Error, socket: Duplex): void {
  const code = "code" in error ? error.code : undefined;
  if (code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(closingErrorText("400 Bad Request", textOf(code)), () => socket.destroy());
}

/**
 * A complete HTTP response with the error body of docs/protocol/requests.md#1.4, for a socket without a `ServerResponse`.
 *
 * @param status code and reason phrase of the status line
 */
export function closingErrorText(status: string, text: string): string {
  const { headers, body } = closingError(text);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`;
}

function closingError(text: string) {
  const body = JSON.stringify(errorBody(text));
  const headers = {
    ...securityHeaders,
    Connection: "close",
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
  };
  return { headers, body };
}

function textOf(code: unknown): string {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return errorTexts.request_headers_too_large;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return errorTexts.request_too_slow;
    default:
      return errorTexts.malformed_request;
  }
}
