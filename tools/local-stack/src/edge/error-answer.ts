import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

/** The answers that the edge gives by itself (docs/interface.md#1.4: both fields, same text). */
export const edgeAnswers = {
  notFound: { status: 404, text: "Not found" },
  badGateway: { status: 502, text: "Bad gateway" },
  unavailable: { status: 503, text: "Service unavailable" },
} as const;
type EdgeAnswer = (typeof edgeAnswers)[keyof typeof edgeAnswers];

/** Answers a request, or cuts the connection when an answer has already begun. */
export function answer(response: ServerResponse, { status, text }: EdgeAnswer): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = JSON.stringify({ error: text, message: text });
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...contentLength(body) });
  response.end(body);
}

/** Answers an upgrade request, for which Node.js offers no response object, and ends the connection. */
export function answerUpgrade(socket: Socket, { status, text }: EdgeAnswer): void {
  if (!socket.writable) return;
  const body = JSON.stringify({ error: text, message: text });
  const head = {
    "content-type": "application/json; charset=utf-8",
    ...contentLength(body),
    connection: "close",
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}

function contentLength(body: string) {
  return { "content-length": String(Buffer.byteLength(body)) };
}
