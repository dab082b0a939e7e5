import { z } from "zod";

/** Body of GET /health (docs/protocol/operators.md#15). */
export const HealthReport = z
  .object({
    status: z.enum(["ok", "degraded"]),
    service: z.string(),
    version: z.string(),
    uptime_secs: z.int(),
    database: z.object({ status: z.enum(["ok", "unavailable", "timeout"]), latency_ms: z.int() }),
    connections: z.object({ websocket: z.int() }),
  })
  .meta({ id: "HealthReport" });
export type HealthReport = z.infer<typeof HealthReport>;

const Check = z.object({ ok: z.boolean(), error: z.string().optional() });

/** Body of GET /health/ready. */
export const Readiness = z
  .object({ ready: z.boolean(), checks: z.object({ database: Check, redis: Check, nats: Check }) })
  .meta({ id: "Readiness" });

/** Body of GET /health/serving. */
export const Serving = z.object({ serving: z.boolean() }).meta({ id: "Serving" });

/** Body of GET /health/live. */
export const Liveness = z.object({ alive: z.literal(true) }).meta({ id: "Liveness" });
