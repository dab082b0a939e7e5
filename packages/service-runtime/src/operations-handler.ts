import type { IncomingMessage, ServerResponse } from "node:http";
import { errorBody, errorTexts } from "@parley/contracts";
import type { Health } from "./health.js";
import { type Metrics, metricsAllowed } from "./metrics.js";
import { securityHeaders } from "./protocol-errors.js";

/** Answers the request and returns true, or returns false for a request of another route. */
export type OperationsRouter = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Sources of the answers of the operations routes. */
interface Operations {
  health: Health;
  metrics: Metrics;
  /** Default: the rule of docs/protocol/operators.md#15, loopback only. */
  mayReadMetrics?: (request: IncomingMessage) => boolean;
}

/**
 * Routes `GET /health/live`, `GET /health/ready` and `GET /metrics` (docs/protocol/operators.md#15), also below `/api`
 * (docs/protocol/requests.md#1.1), and `GET /health/serving` for load balancers. Returns false for any other request, and for
 * metrics if the peer may not read them.
 */
export function createOperationsRouter(options: Operations): OperationsRouter {
  const { health, metrics, mayReadMetrics = metricsAllowed } = options;
  return (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    switch (operationsPath(request.url ?? "")) {
      case "/health/live":
        answerJson(response, 200, health.live());
        return true;
      case "/health/ready":
        answerLater(
          response,
          health.readiness().then((readiness) => answerJson(response, readiness.ready ? 200 : 503, readiness)),
        );
        return true;
      case "/health/serving":
        answerLater(
          response,
          health.serving().then((serving) => answerJson(response, serving ? 200 : 503, { serving })),
        );
        return true;
      case "/metrics":
        if (!mayReadMetrics(request)) return false;
        answerLater(
          response,
          metrics.text().then((text) => answer(response, 200, metrics.contentType, text)),
        );
        return true;
      default:
        return false;
    }
  };
}

/** A whole node:http handler for services without another HTTP surface: the operations routes, else 404 JSON. */
export function createOperationsHandler(
  options: Operations,
): (request: IncomingMessage, response: ServerResponse) => void {
  const route = createOperationsRouter(options);
  return (request, response) => {
    if (!route(request, response)) answerError(response, 404, errorTexts.not_found);
  };
}

/** Answers with the error body of docs/protocol/requests.md#1.4. */
export function answerError(response: ServerResponse, status: number, text: string): void {
  answerJson(response, status, errorBody(text));
}

function operationsPath(url: string): string {
  const end = url.indexOf("?");
  const path = (end === -1 ? url : url.slice(0, end)).replace(/\/$/, "");
  return path.startsWith("/api/") ? path.slice("/api".length) : path;
}

function answerLater(response: ServerResponse, answering: Promise<void>): void {
  answering.catch(() => {
    if (!response.headersSent) answerError(response, 500, errorTexts.internal);
  });
}

function answerJson(response: ServerResponse, status: number, body: unknown): void {
  answer(response, status, "application/json; charset=utf-8", JSON.stringify(body));
}

function answer(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, {
    "Content-Type": contentType,
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    ...securityHeaders,
  });
  response.end(body);
}
