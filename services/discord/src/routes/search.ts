import type { DetailedMessage } from "@parley/contracts";
import { include, showMessages } from "../loading/messages.js";
import { numberOf, withQuery } from "../rest/input.js";
import { type BotCall, route } from "../rest/route.js";
import { serverOf } from "./guilds.js";
import { showing } from "./messages.js";

interface Found {
  readonly results: readonly { readonly id: string; readonly channel_id: string }[];
  readonly total: number;
}
const nothing: Found = { results: [], total: 0 };

/** Messages with the words of `content`, best first; other filters than the channel are not looked at (docs/discord.md#rules). */
async function search(call: BotCall) {
  const { api, query } = call;
  const serverId = await serverOf(call);
  const limit = numberOf(query, "limit", { fallback: 25, min: 1, max: 25 });
  const q = (query.get("content") ?? "").trim().slice(0, 200);
  const channel = query.get("channel_id");
  const channel_id = channel === null ? undefined : await call.id("channel", channel, 10003, serverId);
  const path = withQuery(`/servers/${serverId}/search`, { q, limit, channel_id });
  // Fewer than two characters find nothing here.
  const { results, total } = q.length < 2 ? nothing : await api.get<Found>(path);
  const whole = results.map(({ id, channel_id: in_ }) =>
    api.get<DetailedMessage>(`/channels/${in_}/messages/${id}?${include}`),
  );
  const shown = await showMessages(showing(call), { kind: "channel", id: "", serverId }, await Promise.all(whole));
  return {
    doing_deep_historical_index: false,
    total_results: total,
    messages: shown.map((message) => [message]),
  };
}

export const searchRoutes = [route("GET", "/guilds/:guild_id/messages/search", search)];
