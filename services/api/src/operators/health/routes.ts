import { errorTexts, notFound } from "@parley/contracts";
import { type Health, type Metrics, metricsAllowed } from "@parley/service-runtime";
import { z } from "zod";
import { answerJson, ok, type Route, route } from "../../platform/http/route.js";
import { HealthReport, Liveness, Readiness, Serving } from "./schema.js";

/**
 * Health and metrics of this process; they need no credentials and no rate limit (docs/protocol/limits.md#1.6,
 * docs/protocol/operators.md#15).
 */
export function healthRoutes(options: {
  report: () => Promise<HealthReport>;
  health: Health;
  metrics: Metrics;
}): Route[] {
  const { report, health, metrics } = options;
  return [
    route(
      {
        method: "get",
        path: "/health",
        name: "health.get",
        summary: "State of the service and its database",
        caller: "anyone",
        success: ok(HealthReport),
        otherAnswers: [{ status: 503, description: "The database is unreachable", schema: HealthReport }],
      },
      async ({ response }) => {
        const body = await report();
        if (body.status !== "ok") answerJson(response, 503, body);
        return body;
      },
    ),
    route(
      {
        method: "get",
        path: "/health/ready",
        name: "health.ready",
        summary: "Whether this process can take requests",
        caller: "anyone",
        success: ok(Readiness),
        otherAnswers: [
          { status: 503, description: "A dependency is missing, or the process stops", schema: Readiness },
        ],
      },
      async ({ response }) => {
        const { ready, checks } = await health.readiness();
        const body = Readiness.parse({ ready, checks });
        if (!ready) answerJson(response, 503, body);
        return body;
      },
    ),
    route(
      {
        method: "get",
        path: "/health/serving",
        name: "health.serving",
        summary: "Whether load balancers should send requests to this process",
        caller: "anyone",
        success: ok(Serving),
        otherAnswers: [
          { status: 503, description: "The database is unreachable, or the process stops", schema: Serving },
        ],
      },
      async ({ response }) => {
        const body = { serving: await health.serving() };
        if (!body.serving) answerJson(response, 503, body);
        return body;
      },
    ),
    route(
      {
        method: "get",
        path: "/health/live",
        name: "health.live",
        summary: "Whether this process is alive",
        caller: "anyone",
        success: ok(Liveness),
      },
      async () => health.live(),
    ),
    route(
      {
        method: "get",
        path: "/metrics",
        name: "health.metrics",
        summary: "Prometheus metrics, for callers on the same host only",
        caller: "anyone",
        success: { status: 200, description: "Metrics", schema: z.string(), contentType: "text/plain" },
        errors: { not_found: [errorTexts.not_found] },
      },
      async ({ request, response }) => {
        if (!metricsAllowed(request)) throw notFound(errorTexts.not_found);
        const text = await metrics.text();
        response.setHeader("Content-Type", metrics.contentType);
        response.end(text);
        return text;
      },
    ),
  ];
}
