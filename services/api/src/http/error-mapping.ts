import { type ErrorCode, errorBody, errorTexts, ServiceError } from "@parley/contracts";
import { isUnavailable } from "@parley/database";
import type { ErrorRequestHandler, RequestHandler, Response } from "express";
import { answerJson } from "./route.js";

/** The only mapping of error kinds to statuses (docs/interface.md#1.4). */
export const statusOf: Record<ErrorCode, number> = {
  invalid_input: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  unavailable: 503,
};

/** Answers a path or method that no route has. */
export const answerNotFound: RequestHandler = (_request, response) => {
  answerText(response, 404, errorTexts.notFound);
};

/** Turns whatever a route threw into the error body of docs/interface.md#1.4, without leaking anything. */
export const answerError: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  const { status, text } = describe(error);
  if (status >= 500) {
    request.state.log.error(
      { err: error, request_id: request.state.id, route: request.state.routePath },
      "request failed",
    );
  }
  if (error instanceof ServiceError && error.retryAfterSeconds !== undefined && !response.headersSent) {
    response.setHeader("Retry-After", error.retryAfterSeconds);
  }
  if (response.headersSent) {
    // Status and headers are already sent; closing the connection is the only way left to report a failure.
    response.destroy();
    return;
  }
  answerText(response, status, text);
};

function describe(error: unknown): { status: number; text: string } {
  if (error instanceof ServiceError) return { status: statusOf[error.code], text: error.message };
  if (isUnavailable(error)) return { status: 503, text: errorTexts.unavailable };
  return { status: 500, text: errorTexts.internal };
}

function answerText(response: Response, status: number, text: string): void {
  answerJson(response, status, errorBody(text));
}
