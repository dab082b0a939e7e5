import type { Reactor } from "@parley/contracts";
import { isShown } from "../ids/snowflake.js";
import { loadUsers } from "../loading/context.js";
import { type Place, pathsOf } from "../loading/place.js";
import { toUser } from "../objects/user.js";
import { DiscordError, discordError } from "../rest/errors.js";
import { numberOf, withQuery } from "../rest/input.js";
import { type BotCall, route } from "../rest/route.js";
import { placeOf } from "./channels.js";
import { messageOf } from "./messages.js";

/** Our name of an emoji in the path: `name:id` is a custom one. */
async function emojiOf({ id, params }: BotCall, { serverId }: Place): Promise<string> {
  const text = params.emoji ?? "";
  const [, snowflake] = /^(?:a:)?\w+:(\d{1,20})$/.exec(text) ?? [];
  const own =
    snowflake === undefined ? text : `c:${await unknownEmoji(id("emoji", snowflake, 10014, serverId ?? undefined))}`;
  return encodeURIComponent(own);
}

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

async function pathOf(call: BotCall): Promise<{ place: Place; path: string }> {
  const place = await placeOf(call);
  const id = await messageOf(call, place);
  return {
    place,
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

async function listReactors(call: BotCall) {
  const { place, path } = await pathOf(call);
  if (place.kind === "direct") return [];
  const limit = numberOf(call.query, "limit", { fallback: 25, min: 1, max: 100 });
  const after = call.query.get("after");
  const afterId =
    after === null || after === "0" ? undefined : await call.id("user", after, 10013).catch(() => undefined);
  const emoji = await emojiOf(call, place);
  const reactors = await call.api.get<Reactor[]>(withQuery(`${path}/${emoji}`, { limit, after: afterId }));
  const users = await loadUsers(
    call.database,
    reactors.map(({ id }) => id),
  );
  return reactors.filter(isShown).map((reactor) => toUser(users.get(reactor.id) ?? reactor));
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
