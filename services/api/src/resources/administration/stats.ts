import { defineStatement } from "@parley/database";
import type { Database } from "@parley/database/prisma";
import { z } from "zod";
import { ok, type Route, route } from "../../http/route.js";

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

const totalsStatement = defineStatement({
  name: "admin_stats",
  text: `SELECT (SELECT count(*) FROM user_directory) AS total_users,
    (SELECT count(*) FROM servers) AS total_servers,
    (SELECT coalesce(sum(messages), 0) FROM server_message_counts)
      + (SELECT coalesce(sum(c.messages), 0) FROM message_count_changes c JOIN servers s ON s.id = c.server_id)
      AS total_messages,
    (SELECT count(*) FROM channels) AS total_channels,
    (SELECT coalesce(sum(file_size), 0) FROM attachments) + (SELECT coalesce(sum(file_size), 0) FROM custom_emojis)
      AS storage_bytes`,
  row: z.object({
    total_users: z.coerce.number(),
    total_servers: z.coerce.number(),
    total_messages: z.coerce.number(),
    total_channels: z.coerce.number(),
    storage_bytes: z.coerce.number(),
  }),
});

const pingStatement = defineStatement({ name: "admin_stats_ping", text: "SELECT 1 AS one", row: () => 1 });

/**
 * Figures of the whole installation, for administrators (docs/interface.md#18.1).
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
        tag: "administration",
        summary: "Figures of the whole installation",
        caller: "admin",
        success: ok(Stats),
      },
      async () => {
        const askedAt = performance.now();
        await database.query(pingStatement, []);
        const latencyMs = performance.now() - askedAt;
        const [[totals], connections] = await Promise.all([
          database.query(totalsStatement, []),
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
