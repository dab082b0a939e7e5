import type { Member } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import { memberObject } from "@parley/moderation";
import { hasPermission } from "@parley/permissions";
import { z } from "zod";
import { isShown } from "../ids/snowflake.js";
import { afterQuery } from "../loading/cursors.js";
import { readStoredMember, storedMemberText, withVoice } from "../loading/member.js";
import { toMember } from "../objects/member.js";
import { DiscordError, discordError, invalidForm } from "../rest/errors.js";
import { numberOf, readInput, snowflakeInput, snowflakeQuery, withQuery } from "../rest/input.js";
import { type BotCall, route } from "../rest/route.js";
import { roleOf } from "./channels.js";
import { serverOf } from "./guilds.js";
import { ownPermissions } from "./users.js";

const shownMembers = (members: readonly Member[]) =>
  members.filter(({ user_id }) => isShown({ id: user_id })).map(toMember);

interface Target {
  readonly serverId: string;
  readonly userId: string;
  /** Of the member in our api. */
  readonly path: string;
}

async function shownMember({ database }: BotCall, serverId: string, member: Member) {
  const [shown = member] = await withVoice(database, serverId, [member]);
  return toMember(shown);
}

/** The UUID of the member whom the path names. */
async function memberPath(call: BotCall): Promise<Target> {
  const serverId = await serverOf(call);
  const userId =
    call.params.user_id === "@me" ? call.bot.userId : await call.id("user", call.params.user_id ?? "", 10007);
  return { serverId, userId, path: `/servers/${serverId}/members/${userId}` };
}

/** Members of $1 behind the identifier $2, in the order of their ids: the api's is that in which they joined. */
const membersAfter = defineStatement({
  name: "discord_members_after",
  text: `SELECT ${storedMemberText} AS text FROM (
      SELECT * FROM members WHERE server_id = $1::uuid AND user_id > $2::uuid ORDER BY user_id LIMIT $3::integer) AS m
    ${memberObject} ORDER BY m.user_id`,
  row: (row) => readStoredMember(String(row.text)),
});

async function listMembers(call: BotCall) {
  const { api, database, query } = call;
  const serverId = await serverOf(call);
  const limit = numberOf(query, "limit", { fallback: 1, min: 1, max: 1_000 });
  const { after } = afterQuery(snowflakeQuery(query, "after") ?? "0");
  // A bot that is no member gets the api's error.
  await api.get(`/servers/${serverId}`);
  return shownMembers(await database.query(membersAfter, [serverId, after, limit]));
}

const minutes = 60_000;
const timeOutMinutesMax = 40_320;
/** The clock of a bot that asks for the longest time may be ahead. */
const clockSkewMinutes = 1;

const memberChange = z.object({
  nick: z.string().max(32).nullish(),
  roles: z.array(snowflakeInput).nullish(),
  communication_disabled_until: z.iso.datetime({ offset: true }).nullish(),
  mute: z.boolean().nullish(),
  deaf: z.boolean().nullish(),
  channel_id: snowflakeInput.nullish(),
});
type Change = z.output<typeof memberChange>;

async function setRoles(call: BotCall, serverId: string, path: string, wanted: readonly string[]) {
  const { roles } = await call.api.get<Member>(path);
  const before = new Set(roles.map(({ id }) => id));
  const after = new Set(await Promise.all(wanted.map((snowflake) => roleOf(call.id, snowflake, serverId))));
  after.delete(serverId);
  for (const id of after) if (!before.has(id)) await call.api.send("PUT", `${path}/roles/${id}`);
  for (const id of before) if (!after.has(id)) await call.api.send("DELETE", `${path}/roles/${id}`);
}

async function setTimeOut({ api, reason }: BotCall, path: string, until: string | null) {
  const left = until === null ? 0 : Date.parse(until) - Date.now();
  if (left > (timeOutMinutesMax + clockSkewMinutes) * minutes) {
    const message = `Must be at most ${timeOutMinutesMax / 1_440} days in the future.`;
    const path = ["communication_disabled_until"];
    throw invalidForm([{ path, code: "INVALID_COMMUNICATION_DISABLED_TIMESTAMP", message }]);
  }
  if (left <= 0) return api.send("DELETE", `${path}/timeout`);
  const duration_minutes = Math.min(timeOutMinutesMax, Math.ceil(left / minutes));
  return api.send("POST", `${path}/timeout`, { duration_minutes, reason: reasonText(reason) });
}

/** Reasons here have 512 characters at most. */
export const reasonText = (reason: string | null): string | null =>
  reason === null ? null : [...reason].slice(0, 512).join("");

/** Mutes, deafens, moves and disconnects a member in voice, as far as the change names it. */
async function setVoice({ api, id, bot }: BotCall, target: Target, { mute, deaf, channel_id }: Change) {
  const changes = {
    ...(mute == null ? {} : { server_mute: mute }),
    ...(deaf == null ? {} : { server_deaf: deaf }),
    ...(channel_id == null ? {} : { channel_id: await id("channel", channel_id, 10003, target.serverId) }),
    // A bot leaves by its gateway connection.
    ...(channel_id === null && target.userId !== bot.userId ? { channel_id } : {}),
  };
  if (Object.keys(changes).length > 0) await api.send("PATCH", `${target.path}/voice`, changes);
}

/** Each part is a call of its own, in the order in which Discord's documentation names them. */
async function changeMember(call: BotCall, change: Change) {
  const target = await memberPath(call);
  const { serverId, path } = target;
  const { nick, roles, communication_disabled_until: until } = change;
  if (nick !== undefined) await call.api.send("PATCH", path, { nickname: nick === "" ? null : nick });
  if (roles !== undefined) await setRoles(call, serverId, path, roles ?? []);
  if (until !== undefined) await setTimeOut(call, path, until);
  await setVoice(call, target, change);
  return shownMember(call, serverId, await call.api.get<Member>(path));
}

const searchInput = z.object({ query: z.string() });

async function searchMembers(call: BotCall) {
  const serverId = await serverOf(call);
  const limit = numberOf(call.query, "limit", { fallback: 1, min: 1, max: 1_000 });
  const { query } = readInput(searchInput, { query: call.query.get("query") ?? undefined });
  const q = query.slice(0, 100);
  const members = await call.api.get<Member[]>(withQuery(`/servers/${serverId}/members`, { limit, q }));
  return shownMembers(await withVoice(call.database, serverId, members));
}

async function kick(call: BotCall) {
  const { path } = await memberPath(call);
  await call.api.send("POST", `${path}/kick`, { reason: reasonText(call.reason) }).catch((error: unknown) => {
    // The api names the server where the target is no member.
    throw error instanceof DiscordError && error.code === 10004 ? discordError(10007) : error;
  });
}

async function changeRole(call: BotCall, method: "PUT" | "DELETE") {
  const { serverId, path } = await memberPath(call);
  const roleId = await call.id("role", call.params.role_id ?? "", 10011, serverId);
  await call.api.send(method, `${path}/roles/${roleId}`);
}

/** Nobody is removed here for being away: the answer is a count of 0 for a bot that may remove people. */
async function prune(call: BotCall, isAsked: boolean) {
  const serverId = await serverOf(call);
  await call.api.get(`/servers/${serverId}`);
  if (!hasPermission(await ownPermissions(call, serverId), "KICK_MEMBERS")) throw discordError(50013);
  return { pruned: isAsked ? 0 : null };
}

const pruneInput = z.object({ compute_prune_count: z.boolean().nullish() });

export const memberRoutes = [
  route("GET", "/guilds/:guild_id/prune", (call) => prune(call, true)),
  route("POST", "/guilds/:guild_id/prune", (call) =>
    prune(call, readInput(pruneInput, call.body).compute_prune_count !== false),
  ),
  route("GET", "/guilds/:guild_id/members", listMembers),
  route("GET", "/guilds/:guild_id/members/search", searchMembers),
  route("PATCH", "/guilds/:guild_id/members/@me", async (call) => {
    const { nick } = readInput(memberChange.pick({ nick: true }), call.body);
    const serverId = await serverOf(call);
    const fields = nick === undefined ? {} : { nickname: nick };
    return shownMember(
      call,
      serverId,
      await call.api.send<Member>("PATCH", `/servers/${serverId}/members/@me`, fields),
    );
  }),
  route("PATCH", "/guilds/:guild_id/members/@me/nick", async (call) => {
    const { nick } = readInput(memberChange.pick({ nick: true }), call.body);
    await call.api.send("PATCH", `/servers/${await serverOf(call)}/members/@me`, { nickname: nick ?? null });
    return { nick: nick ?? null };
  }),
  route("GET", "/guilds/:guild_id/members/:user_id", async (call) => {
    const { serverId, path } = await memberPath(call);
    return shownMember(call, serverId, await call.api.get<Member>(path));
  }),
  route("PATCH", "/guilds/:guild_id/members/:user_id", (call) =>
    changeMember(call, readInput(memberChange, call.body)),
  ),
  route("DELETE", "/guilds/:guild_id/members/:user_id", kick),
  route("PUT", "/guilds/:guild_id/members/:user_id/roles/:role_id", (call) => changeRole(call, "PUT")),
  route("DELETE", "/guilds/:guild_id/members/:user_id/roles/:role_id", (call) => changeRole(call, "DELETE")),
];
