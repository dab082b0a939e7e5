import { qualifiedEmoji } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import { isShown } from "../ids/snowflake.js";
import { loadUsers } from "../loading/context.js";
import { afterQuery } from "../loading/cursors.js";
import { type Place, pathsOf } from "../loading/place.js";
import { toUser } from "../objects/user.js";
import { DiscordError, discordError } from "../rest/errors.js";
import { numberOf, snowflakeQuery } from "../rest/input.js";
import { type BotCall, route } from "../rest/route.js";
import { placeOf } from "./channels.js";
import { messageOf } from "./messages.js";

/** Our name of an emoji in the path: `name:id` is a custom one. */
async function nameOfEmoji({ id, params }: BotCall, { serverId }: Place): Promise<string> {
  const text = params.emoji ?? "";
  const [, snowflake] = /^(?:a:)?\w+:(\d{1,20})$/.exec(text) ?? [];
  return snowflake === undefined
    ? text
    : `c:${await unknownEmoji(id("emoji", snowflake, 10014, serverId ?? undefined))}`;
}

/** The same as a part of a path. */
const emojiOf = async (call: BotCall, place: Place) => encodeURIComponent(await nameOfEmoji(call, place));

/** 400 10014: of an emoji that nobody knows (docs/discord.md#rules). */
async function unknownEmoji<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DiscordError && (error.code === 10014 || error.code === 50035)) {
      throw new DiscordError(400, 10014, discordError(10014).message);
    }
    throw error;
  }
}

async function pathOf(call: BotCall): Promise<{ place: Place; id: string; path: string }> {
  const place = await placeOf(call);
  const id = await messageOf(call, place);
  return {
    place,
    id,
    path:
      place.kind === "direct"
        ? `/dm-messages/${id}/reactions`
        : `/channels/${pathsOf(place).channelId}/messages/${id}/reactions`,
  };
}

async function react(call: BotCall) {
  const { place, path } = await pathOf(call);
  await unknownEmoji(call.api.send("PUT", `${path}/${await emojiOf(call, place)}`));
}

/** One's own, or somebody else's; that there was none is no fault. */
async function unreact(call: BotCall) {
  const { place, path } = await pathOf(call);
  const emoji = await emojiOf(call, place);
  const { user_id } = call.params;
  const userId = user_id === undefined || user_id === "@me" ? null : await call.id("user", user_id, 10013);
  const target = userId === null || userId === call.bot.userId ? `${path}/${emoji}` : `${path}/${emoji}/${userId}`;
  await call.api.send("DELETE", target).catch((error: unknown) => {
    if (!(error instanceof DiscordError && error.status === 404 && error.code === 0)) throw error;
  });
}

/** Those who reacted to the message $1 with an emoji, in any of its forms, behind the identifier $3. */
const reactorsAfter = defineStatement({
  name: "discord_reactors_after",
  text: `SELECT DISTINCT user_id FROM reactions WHERE message_id = $1::uuid AND emoji = ANY ($2::text[]) AND user_id > $3::uuid
    ORDER BY user_id LIMIT $4::integer`,
  row: (row) => String(row.user_id),
});

/** In the order of their ids: the api's is that of reacting. */
async function listReactors(call: BotCall) {
  const { api, database, query } = call;
  const { place, id, path } = await pathOf(call);
  if (place.kind === "direct") return [];
  // There are no super reactions here.
  const isSuper = numberOf(query, "type", { fallback: 0, min: 0, max: 1 }) === 1;
  const limit = numberOf(query, "limit", { fallback: 25, min: 1, max: 100 });
  const { after } = afterQuery(snowflakeQuery(query, "after") ?? "0");
  const emoji = await nameOfEmoji(call, place);
  // A bot that may not read the message gets the api's error.
  await api.get(`${path}/${encodeURIComponent(emoji)}?limit=1`);
  if (isSuper) return [];
  const forms = [emoji, qualifiedEmoji(emoji) ?? emoji];
  const ids = await database.query(reactorsAfter, [id, forms, after, limit]);
  const users = await loadUsers(database, ids);
  return ids
    .flatMap((userId) => users.get(userId) ?? [])
    .filter(isShown)
    .map(toUser);
}

async function removeOfEmoji(call: BotCall) {
  const { path, place } = await pathOf(call);
  const emoji = await emojiOf(call, place);
  await call.api.send("DELETE", `${path}?emoji=${emoji}`);
}

const base = "/channels/:channel_id/messages/:message_id/reactions";

export const reactionRoutes = [
  route("GET", `${base}/:emoji`, listReactors),
  route("PUT", `${base}/:emoji/@me`, react),
  route("DELETE", `${base}/:emoji/@me`, unreact),
  route("DELETE", `${base}/:emoji/:user_id`, unreact),
  route("DELETE", `${base}/:emoji`, removeOfEmoji),
  route("DELETE", base, async (call) => {
    await call.api.send("DELETE", (await pathOf(call)).path);
  }),
];
