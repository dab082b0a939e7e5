import type { User } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import { type APIApplication, ApplicationFlags } from "discord-api-types/v10";
import { z } from "zod";
import { snowflakeOf } from "../ids/snowflake.js";
import { pictureHash, toUser } from "../objects/user.js";
import { readInput } from "../rest/input.js";
import { type BotCall, route } from "../rest/route.js";

/** Flags by which libraries see whether an application gets members, presences and contents (docs/discord.md#rules). */
const flags =
  ApplicationFlags.GatewayPresence | ApplicationFlags.GatewayGuildMembers | ApplicationFlags.GatewayMessageContent;

const findOwn = defineStatement({
  name: "discord_application",
  text: `
SELECT b.name, b.description, coalesce(b.is_public, false) AS is_public, b.interactions_url, o.id AS owner_id,
  o.username AS owner_name, o.avatar_url AS owner_avatar, (SELECT count(*)::integer FROM members m WHERE m.user_id = b.user_id) AS servers
FROM bots b LEFT JOIN users o ON o.id = b.created_by WHERE b.id = $1::uuid`,
  row: z.object({
    name: z.string(),
    description: z.string().nullable(),
    is_public: z.boolean(),
    interactions_url: z.string().nullable(),
    owner_id: z.string().nullable(),
    owner_name: z.string().nullable(),
    owner_avatar: z.string().nullable(),
    servers: z.int(),
  }),
});

/** The application of the bot, which has the id of its account. */
async function application({ api, bot, database }: BotCall): Promise<APIApplication> {
  const [user, [own]] = await Promise.all([api.get<User>("/users/@me"), database.query(findOwn, [bot.botId])]);
  const owner = own?.owner_id
    ? toUser({ id: own.owner_id, username: own.owner_name ?? "", avatar_url: own.owner_avatar })
    : undefined;
  return {
    id: snowflakeOf(bot.userId),
    name: own?.name ?? user.username,
    icon: pictureHash(user.avatar_url),
    description: own?.description ?? "",
    summary: "",
    bot_public: own?.is_public ?? false,
    bot_require_code_grant: false,
    bot: toUser({ ...user, is_bot: true }),
    ...(owner === undefined ? {} : { owner }),
    verify_key: "0".repeat(64),
    team: null,
    flags,
    flags_new: String(flags),
    approximate_guild_count: own?.servers ?? 0,
    interactions_endpoint_url: own?.interactions_url ?? null,
    tags: [] as never,
    redirect_uris: [],
  };
}

const change = z.object({
  description: z.string().max(400).nullish(),
  interactions_endpoint_url: z.string().nullish(),
});

/** Interactions that go to a URL have the form of docs/protocol/apps.md#25.3 there. */
async function changeApplication(call: BotCall) {
  const { description, interactions_endpoint_url } = readInput(change, call.body);
  const fields = { description, interactions_url: interactions_endpoint_url === "" ? null : interactions_endpoint_url };
  const isChanged = Object.values(fields).some((value) => value !== undefined);
  if (isChanged) await call.api.send("PATCH", "/bots/@me", fields);
  return application(call);
}

export const applicationRoutes = [
  route("PATCH", "/applications/@me", changeApplication),
  route("GET", "/applications/@me", application),
  route("GET", "/oauth2/applications/@me", application),
];
