import type { Metrics } from "@parley/service-runtime";
import type { RequestHandler } from "express";
import { Counter, Histogram } from "prom-client";
import "./request-state.js";

/** Counts requests and their durations by route template (docs/protocol/operators.md#15), and refusals by limit. */
export function requestMetrics(metrics: Metrics): RequestHandler {
  const labelNames = ["method", "path", "status"] as const;
  const registers = [metrics.registry];
  const total = new Counter({ name: "http_requests_total", help: "HTTP requests answered", labelNames, registers });
  const duration = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request's head to the end of its answer",
    labelNames,
    registers,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  const limited = new Counter({
    name: "limited_total",
    help: "Requests refused by a limit",
    labelNames: ["limit"],
    registers,
  });
  return (request, response, next) => {
    const startedAt = performance.now();
    response.once("finish", () => {
      const labels = { method: request.method, path: request.state.routePath, status: String(response.statusCode) };
      total.inc(labels);
      if (request.state.limit !== null) limited.inc({ limit: request.state.limit });
      duration.observe(labels, (performance.now() - startedAt) / 1000);
    });
    next();
  };
}
