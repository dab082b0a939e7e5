import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { errorTexts } from "@parley/contracts";
import { answerError, closingErrorText } from "@parley/service-runtime";

/** The answers that the edge gives by itself. */
export const edgeAnswers = {
  notFound: { status: 404, text: errorTexts.not_found },
  badGateway: { status: 502, text: errorTexts.bad_gateway },
  unavailable: { status: 503, text: errorTexts.unavailable },
} as const;
type EdgeAnswer = (typeof edgeAnswers)[keyof typeof edgeAnswers];

/** Answers a request, or cuts the connection when an answer has already begun. */
export function answer(response: ServerResponse, { status, text }: EdgeAnswer): void {
  if (response.headersSent) response.destroy();
  else answerError(response, status, text);
}

/** Answers an upgrade request, for which Node.js offers no response object, and ends the connection. */
export function answerUpgrade(socket: Socket, { status, text }: EdgeAnswer): void {
  if (socket.writable) socket.end(closingErrorText(`${status} ${STATUS_CODES[status]}`, text));
}
