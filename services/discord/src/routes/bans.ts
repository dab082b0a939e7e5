import type { Ban, BulkBan } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import { z } from "zod";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { loadUsers } from "../loading/context.js";
import { toUser } from "../objects/user.js";
import { discordError } from "../rest/errors.js";
import { numberOf, readInput, snowflakeInput } from "../rest/input.js";
import { Answer, type BotCall, route } from "../rest/route.js";
import { serverOf } from "./guilds.js";
import { reasonText } from "./members.js";

const findBan = defineStatement({
  name: "discord_ban",
  text: "SELECT user_id FROM bans WHERE server_id = $1::uuid AND user_id = $2::uuid",
  row: (row) => String(row.user_id),
});

async function shownBans({ database }: BotCall, bans: readonly Ban[]) {
  const users = await loadUsers(
    database,
    bans.map(({ user_id }) => user_id),
  );
  return bans.flatMap(({ user_id, reason }) => {
    const user = users.get(user_id);
    return user === undefined || !isShown(user) ? [] : [{ reason, user: toUser(user) }];
  });
}

async function listBans(call: BotCall) {
  const bans = await call.api.get<Ban[]>(`/servers/${await serverOf(call)}/bans`);
  const limit = numberOf(call.query, "limit", { fallback: 1_000, min: 1, max: 1_000 });
  const idOf = ({ user_id }: Ban) => BigInt(snowflakeOf(user_id));
  const [before, after] = ["before", "after"].map((name) => call.query.get(name)?.match(/^\d{1,20}$/)?.[0]);
  const page = bans
    .filter((ban) =>
      before === undefined ? after === undefined || idOf(ban) > BigInt(after) : idOf(ban) < BigInt(before),
    )
    .sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  return shownBans(call, before === undefined ? page.slice(0, limit) : page.slice(-limit));
}

async function getBan(call: BotCall) {
  const bans = await call.api.get<Ban[]>(`/servers/${await serverOf(call)}/bans`);
  const ban = bans.find(({ user_id }) => snowflakeOf(user_id) === call.params.user_id);
  const [shown] = ban === undefined ? [] : await shownBans(call, [ban]);
  if (shown === undefined) throw discordError(10026);
  return shown;
}

const secondsMax = 604_800;
const daySeconds = 86_400;
const banInput = z.object({
  delete_message_seconds: z.int().min(0).max(secondsMax).nullish(),
  delete_message_days: z.int().min(0).max(7).nullish(),
});
const bulkInput = z.object({
  user_ids: z.array(snowflakeInput).min(1).max(200),
  delete_message_seconds: z.int().min(0).max(secondsMax).nullish(),
});

/** How far back a ban deletes the user's messages; without a number it deletes none. */
const purge = (seconds: number | null | undefined) => (seconds ? { delete_message_seconds: seconds } : {});

async function ban(call: BotCall) {
  const { api, body, id, params, reason } = call;
  const input = readInput(banInput, body);
  const serverId = await serverOf(call);
  const userId = await id("user", params.user_id ?? "", 10013);
  const seconds = input.delete_message_seconds ?? (input.delete_message_days ?? 0) * daySeconds;
  await api.send("POST", `/servers/${serverId}/members/${userId}/ban`, {
    reason: reasonText(reason),
    ...purge(seconds),
  });
}

async function unban(call: BotCall) {
  const serverId = await serverOf(call);
  const userId = await call.id("user", call.params.user_id ?? "", 10026);
  const [banned] = await call.database.query(findBan, [serverId, userId]);
  // The api answers first whether the bot may know.
  await call.api.send("DELETE", `/servers/${serverId}/bans/${userId}`);
  if (banned === undefined) throw discordError(10026);
}

async function banMany(call: BotCall) {
  const { user_ids, delete_message_seconds } = readInput(bulkInput, call.body);
  const serverId = await serverOf(call);
  const found = await Promise.all(user_ids.map((snowflake) => call.id("user", snowflake, 10013).catch(() => null)));
  const ids = found.filter((id) => id !== null);
  if (ids.length === 0) throw discordError(500000);
  const { banned, failed } = await call.api.send<BulkBan>("POST", `/servers/${serverId}/bans/bulk`, {
    user_ids: ids,
    reason: reasonText(call.reason),
    ...purge(delete_message_seconds),
  });
  if (banned.length === 0) throw discordError(500000);
  const unknown = user_ids.filter((_, index) => found[index] === null);
  const failed_users = [...failed.map(({ user_id }) => snowflakeOf(user_id)), ...unknown];
  return new Answer(200, { banned_users: banned.map(snowflakeOf), failed_users });
}

export const banRoutes = [
  route("GET", "/guilds/:guild_id/bans", listBans),
  route("GET", "/guilds/:guild_id/bans/:user_id", getBan),
  route("PUT", "/guilds/:guild_id/bans/:user_id", ban),
  route("DELETE", "/guilds/:guild_id/bans/:user_id", unban),
  route("POST", "/guilds/:guild_id/bulk-ban", banMany),
];
