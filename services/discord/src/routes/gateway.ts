import { defineStatement } from "@parley/database";
import type { RESTGetAPIGatewayBotResult, RESTGetAPIGatewayResult } from "discord-api-types/v10";
import { gatewayUrl } from "../gateway/ready.js";
import { openRoute, route } from "../rest/route.js";

const serversPerShard = 1_000;
/** Identifies of a bot a day: a number that libraries want, and nobody counts. */
const sessions = { total: 1_000, remaining: 1_000, reset_after: 86_400_000, max_concurrency: 1 };

const countServers = defineStatement({
  name: "discord_count_servers",
  text: "SELECT count(*)::integer AS servers FROM members WHERE user_id = $1::uuid",
  row: (row) => Number(row.servers),
});

export const gatewayRoutes = [
  openRoute("GET", "/gateway", async (call): Promise<RESTGetAPIGatewayResult> => ({ url: gatewayUrl(call.origin) })),
  route("GET", "/gateway/bot", async (call): Promise<RESTGetAPIGatewayBotResult> => {
    const [servers = 0] = await call.database.query(countServers, [call.bot.userId]);
    return {
      url: gatewayUrl(call.origin),
      shards: Math.max(1, Math.ceil(servers / serversPerShard)),
      session_start_limit: sessions,
    };
  }),
];
