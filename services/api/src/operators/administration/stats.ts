import type { Database } from "@parley/database/prisma";
import { z } from "zod";
import { ok, type Route, route } from "../../platform/http/route.js";
import { ping, readTotals } from "./repository.js";

const Stats = z
  .object({
    total_users: z.int(),
    total_servers: z.int(),
    total_messages: z.int(),
    total_channels: z.int(),
    active_ws_connections: z.int(),
    uptime_secs: z.int().nullable(),
    db_latency_ms: z.number(),
    storage_bytes: z.int(),
  })
  .meta({ id: "InstanceStats", description: "Bots count as users; messages are those of channels, deleted ones too." });

/**
 * Figures of the whole installation, for administrators (docs/protocol/operators.md#18.1).
 *
 * @param options.countConnections open gateway connections of all processes
 */
export function statsRoutes(options: { database: Database; countConnections: () => Promise<number> }): Route[] {
  const { database, countConnections } = options;
  return [
    route(
      {
        method: "get",
        path: "/admin/stats",
        name: "admin.stats",
        tag: "administration",
        summary: "Figures of the whole installation",
        caller: "admin",
        success: ok(Stats),
      },
      async () => {
        const askedAt = performance.now();
        await ping(database);
        const latencyMs = performance.now() - askedAt;
        const [totals, connections] = await Promise.all([
          readTotals(database),
          // Without Redis the connections are not known.
          countConnections().catch(() => 0),
        ]);
        return Stats.parse({
          ...totals,
          active_ws_connections: connections,
          uptime_secs: Math.floor(process.uptime()),
          db_latency_ms: Math.round(latencyMs * 100) / 100,
        });
      },
    ),
  ];
}
