import type { Server } from "@parley/contracts";
import { z } from "zod";
import { snowflakeOf } from "../ids/snowflake.js";
import { pictureJsonBytesMax } from "../limits.js";
import { loadGuildParts } from "../loading/guild.js";
import { featuresOf, toGuild } from "../objects/guild.js";
import { pictureHash } from "../objects/user.js";
import { discordError } from "../rest/errors.js";
import { isSet, readInput } from "../rest/input.js";
import { pictureForm } from "../rest/picture.js";
import { type BotCall, type Call, route } from "../rest/route.js";

/** The UUID of the server that the path names. */
export const serverOf = ({ id, params }: Pick<Call, "id" | "params">): Promise<string> =>
  id("server", params.guild_id ?? "", 10004);

async function guild({ api, database, query }: BotCall, server: Server) {
  const whole = toGuild(server, await loadGuildParts(database, server.id));
  if (!isSet(query, "with_counts")) return whole;
  const { total, online } = await api.get<{ total: number; online: number }>(`/servers/${server.id}/members/count`);
  return { ...whole, approximate_member_count: total, approximate_presence_count: online };
}

const change = z.object({ name: z.string().min(1).max(100).optional(), icon: z.string().nullish() });

async function changeGuild(call: BotCall) {
  const { api, body } = call;
  const serverId = await serverOf(call);
  const { name, icon } = readInput(change, body);
  if (icon === null) await api.send("DELETE", `/servers/${serverId}/icon`);
  else if (icon !== undefined) await api.send("POST", `/servers/${serverId}/icon`, pictureForm("icon", icon));
  return guild(call, await api.send<Server>("PATCH", `/servers/${serverId}`, name === undefined ? {} : { name }));
}

async function preview(call: BotCall) {
  const { api, database } = call;
  const server = await api.get<Server>(`/servers/${await serverOf(call)}`);
  const [{ emojis }, { total, online }] = await Promise.all([
    loadGuildParts(database, server.id),
    api.get<{ total: number; online: number }>(`/servers/${server.id}/members/count`),
  ]);
  return {
    id: snowflakeOf(server.id),
    name: server.name,
    icon: pictureHash(server.icon_url),
    splash: null,
    discovery_splash: null,
    emojis,
    features: featuresOf(server),
    approximate_member_count: total,
    approximate_presence_count: online,
    description: null,
    stickers: [],
  };
}

const region = { id: "local", name: "Local", optimal: true, deprecated: false, custom: false };

/** Lists of things that servers here do not have; only members get the empty list (docs/discord.md#rules). */
const emptyLists = ["integrations", "stickers", "templates", "soundboard-sounds", "auto-moderation/rules"];
/** Things that servers here have none of: their code, whichever is asked for. */
const absent = [
  ["/guilds/:guild_id/stickers/:id", 10060],
  ["/stickers/:id", 10060],
  ["/sticker-packs/:id", 10061],
  ["/stage-instances/:id", 10067],
  ["/guilds/:guild_id/soundboard-sounds/:id", 10097],
  ["/guilds/templates/:code", 10057],
  ["/guilds/:guild_id/auto-moderation/rules/:id", 0],
  ["/guilds/:guild_id/widget", 50004],
  ["/guilds/:guild_id/widget.json", 50004],
  ["/applications/:application_id/emojis/:id", 10014],
] as const;
/** Settings that servers here have not, as they are where nobody has set them. */
const unset = [
  ["/guilds/:guild_id/vanity-url", { code: null, uses: 0 }],
  ["/guilds/:guild_id/welcome-screen", { description: null, welcome_channels: [] }],
] as const;

export const guildRoutes = [
  route("GET", "/guilds/:guild_id", async (call) =>
    guild(call, await call.api.get<Server>(`/servers/${await serverOf(call)}`)),
  ),
  route("PATCH", "/guilds/:guild_id", changeGuild, { bodyBytesMax: pictureJsonBytesMax }),
  route("GET", "/guilds/:guild_id/preview", preview),
  ...absent.map(([path, code]) =>
    route("GET", path, async () => {
      throw discordError(code);
    }),
  ),
  route("GET", "/soundboard-default-sounds", async () => []),
  route("GET", "/guilds/:guild_id/regions", async () => [region]),
  route("GET", "/voice/regions", async () => [region]),
  route("GET", "/sticker-packs", async () => ({ sticker_packs: [] })),
  route("GET", "/guilds/:guild_id/onboarding", async (call) => {
    const { id } = await call.api.get<Server>(`/servers/${await serverOf(call)}`);
    return { guild_id: snowflakeOf(id), prompts: [], default_channel_ids: [], enabled: false, mode: 0 };
  }),
  ...emptyLists.map((list) =>
    route("GET", `/guilds/:guild_id/${list}`, async (call) => {
      await call.api.get(`/servers/${await serverOf(call)}`);
      return list === "soundboard-sounds" ? { items: [] } : [];
    }),
  ),
  ...unset.map(([path, answer]) =>
    route("GET", path, async (call) => {
      await call.api.get(`/servers/${await serverOf(call)}`);
      return answer;
    }),
  ),
];
