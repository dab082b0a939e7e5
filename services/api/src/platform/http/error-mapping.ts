import { type ErrorKind, errorBody, errorTexts, ServiceError } from "@parley/contracts";
import { isUnavailable, isWriteConflict } from "@parley/database";
import type { ErrorRequestHandler, RequestHandler, Response } from "express";
import { answerJson } from "./route.js";

/** The only mapping of error kinds to statuses (docs/protocol/requests.md#1.4). */
export const statusOf: Record<ErrorKind, number> = {
  invalid_input: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  unavailable: 503,
  not_configured: 503,
};

/** Answers a path or method that no route has. */
export const answerNotFound: RequestHandler = (_request, response) => {
  answerText(response, 404, errorTexts.not_found);
};

/** Turns an error of a route into the error body of docs/protocol/requests.md#1.4, without leaking anything. */
export const answerError: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  const { status, text, level } = describe(error);
  if (error instanceof ServiceError && error.limit !== undefined) request.state.limit = error.limit;
  if (level !== null) {
    const about = { request_id: request.state.id, route: request.state.routePath };
    if (level === "info") request.state.log.info({ ...about, reason: text }, "request refused");
    else request.state.log[level]({ ...about, err: error }, "request failed");
  }
  if (error instanceof ServiceError && error.retryAfterSeconds !== undefined && !response.headersSent) {
    response.setHeader("Retry-After", error.retryAfterSeconds);
  }
  if (response.headersSent) {
    // Status and headers are already sent; closing the connection is the only way left to report a failure.
    response.destroy();
    return;
  }
  const { code, details } = error instanceof ServiceError ? error : {};
  answerJson(response, status, { ...errorBody(text, code), ...details });
};

/**
 * The answer to an error, and the level of its log entry:
 *
 * - `error`: a failure inside the service, which an operator has to examine
 * - `warn`: a dependency was unavailable; an outage fails many requests, and readiness and alerts report it once
 * - `info`: a feature is not configured, which is the specified answer
 * - null, not logged: an error of the caller; the edge's access log has it
 */
function describe(error: unknown): { status: number; text: string; level: "error" | "warn" | "info" | null } {
  if (error instanceof ServiceError) {
    return { status: statusOf[error.kind], text: error.message, level: levelOf(error.kind) };
  }
  const mayPass = isUnavailable(error) || isWriteConflict(error);
  if (mayPass) return { status: statusOf.unavailable, text: errorTexts.unavailable, level: "warn" };
  return { status: 500, text: errorTexts.internal, level: "error" };
}

function levelOf(kind: ErrorKind): "warn" | "info" | null {
  if (kind === "unavailable") return "warn";
  return kind === "not_configured" ? "info" : null;
}

function answerText(response: Response, status: number, text: string): void {
  answerJson(response, status, errorBody(text));
}
