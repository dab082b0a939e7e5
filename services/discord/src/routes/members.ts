import { Member, type VoiceState } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import { memberObject, memberText } from "@parley/moderation";
import { hasPermission } from "@parley/permissions";
import { z } from "zod";
import { isShown } from "../ids/snowflake.js";
import { afterQuery } from "../loading/cursors.js";
import { toMember } from "../objects/member.js";
import { DiscordError, discordError } from "../rest/errors.js";
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
  text: `SELECT ${memberText} AS text FROM (
      SELECT * FROM members WHERE server_id = $1::uuid AND user_id > $2::uuid ORDER BY user_id LIMIT $3::integer) AS m
    ${memberObject} ORDER BY m.user_id`,
  row: (row) => Member.parse(JSON.parse(String(row.text))),
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
  if (Object.keys(changes).length === 0) return {};
  const { server_mute, server_deaf } = await api.send<VoiceState>("PATCH", `${target.path}/voice`, changes);
  return { mute: server_mute, deaf: server_deaf };
}

/** Each part is a call of its own, in the order in which Discord's documentation names them. */
async function changeMember(call: BotCall, change: Change) {
  const target = await memberPath(call);
  const { serverId, path } = target;
  const { nick, roles, communication_disabled_until: until } = change;
  if (nick !== undefined) await call.api.send("PATCH", path, { nickname: nick === "" ? null : nick });
  if (roles !== undefined) await setRoles(call, serverId, path, roles ?? []);
  if (until !== undefined) await setTimeOut(call, path, until);
  const voice = await setVoice(call, target, change);
  return { ...toMember(await call.api.get<Member>(path)), ...voice };
}

async function searchMembers(call: BotCall) {
  const serverId = await serverOf(call);
  const limit = numberOf(call.query, "limit", { fallback: 1, min: 1, max: 1_000 });
  const q = (call.query.get("query") ?? "").slice(0, 100);
  return shownMembers(await call.api.get<Member[]>(withQuery(`/servers/${serverId}/members`, { limit, q })));
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
    const path = `/servers/${await serverOf(call)}/members/@me`;
    return toMember(await call.api.send<Member>("PATCH", path, nick === undefined ? {} : { nickname: nick }));
  }),
  route("PATCH", "/guilds/:guild_id/members/@me/nick", async (call) => {
    const { nick } = readInput(memberChange.pick({ nick: true }), call.body);
    await call.api.send("PATCH", `/servers/${await serverOf(call)}/members/@me`, { nickname: nick ?? null });
    return { nick: nick ?? null };
  }),
  route("GET", "/guilds/:guild_id/members/:user_id", async (call) =>
    toMember(await call.api.get<Member>((await memberPath(call)).path)),
  ),
  route("PATCH", "/guilds/:guild_id/members/:user_id", (call) =>
    changeMember(call, readInput(memberChange, call.body)),
  ),
  route("DELETE", "/guilds/:guild_id/members/:user_id", kick),
  route("PUT", "/guilds/:guild_id/members/:user_id/roles/:role_id", (call) => changeRole(call, "PUT")),
  route("DELETE", "/guilds/:guild_id/members/:user_id/roles/:role_id", (call) => changeRole(call, "DELETE")),
];
