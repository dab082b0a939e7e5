import type { Role } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import { z } from "zod";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { loadGuildParts } from "../loading/guild.js";
import { fromColor } from "../objects/role.js";
import { fromDiscordBits, rightsFromBits } from "../permissions.js";
import { discordError } from "../rest/errors.js";
import { bitsInput, readInput, snowflakeInput } from "../rest/input.js";
import { type BotCall, route } from "../rest/route.js";
import { roleOf } from "./channels.js";
import { serverOf } from "./guilds.js";

const color = z.int().min(0).max(0xffffff).nullish();
const roleInput = z.object({
  name: z.string().max(100).nullish(),
  permissions: bitsInput.nullish(),
  color,
  colors: z.object({ primary_color: color }).nullish(),
  mentionable: z.boolean().nullish(),
});

/** Roles as they are shown, after the api said that the bot is a member. */
async function listed({ api, database }: BotCall, serverId: string) {
  await api.get(`/servers/${serverId}`);
  return (await loadGuildParts(database, serverId)).roles;
}

async function shownRole(call: BotCall, serverId: string, roleId: string) {
  const { roles } = await loadGuildParts(call.database, serverId);
  const role = roles.find(({ id }) => id === snowflakeOf(roleId));
  if (role === undefined) throw discordError(10011);
  return role;
}

/** Our fields for the fields that a bot sets of a role; rights without a counterpart stay. */
function fieldsOf(input: z.output<typeof roleInput>, before: Role["rights"]) {
  const { name, permissions, color: plain, colors, mentionable } = input;
  const shown = colors?.primary_color ?? plain;
  return {
    ...(name ? { name } : {}),
    ...(permissions === null || permissions === undefined
      ? {}
      : { permissions: fromDiscordBits(permissions), rights: rightsFromBits(permissions, before ?? []) }),
    ...(typeof shown === "number" ? { color: fromColor(shown) } : {}),
    ...(typeof mentionable === "boolean" ? { mentionable } : {}),
  };
}

/** A role without permissions of its own begins with those of the everyone role, which every member has. */
async function everybodys({ api }: BotCall, path: string, serverId: string) {
  const { permissions, rights = [] } = await api.get<Role>(`${path}/${serverId}?rights=true`);
  return { permissions, rights };
}

async function createRole(call: BotCall) {
  const serverId = await serverOf(call);
  const path = `/servers/${serverId}/roles`;
  const input = readInput(roleInput, call.body);
  const fields = { name: "new role", ...(input.permissions == null ? await everybodys(call, path, serverId) : {}) };
  const role = await call.api.send<Role>("POST", path, { ...fields, ...fieldsOf(input, []) });
  return shownRole(call, serverId, role.id);
}

async function changeRole(call: BotCall) {
  const { api, id, params, body } = call;
  const serverId = await serverOf(call);
  const roleId = await roleOf(id, params.role_id ?? "", serverId);
  const path = `/servers/${serverId}/roles/${roleId}`;
  const { rights = [] } = await api.get<Role>(`${path}?rights=true`);
  const fields = fieldsOf(readInput(roleInput, body), rights);
  // Nothing else of the everyone role can be set (docs/protocol/permissions.md#24.1).
  const { permissions, rights: wanted } = fields;
  await api.send("PATCH", path, roleId === serverId ? { permissions, rights: wanted } : fields);
  return shownRole(call, serverId, roleId);
}

const positions = z.array(z.object({ id: snowflakeInput, position: z.int().min(0).nullish() }));

async function moveRoles(call: BotCall) {
  const serverId = await serverOf(call);
  for (const { id, position } of readInput(positions, call.body)) {
    if (position === null || position === undefined) continue;
    const roleId = await roleOf(call.id, id, serverId);
    if (roleId !== serverId) await call.api.send("PATCH", `/servers/${serverId}/roles/${roleId}`, { position });
  }
  return listed(call, serverId);
}

const countMembers = defineStatement({
  name: "discord_role_member_counts",
  text: `SELECT r.id, count(mr.role_id)::integer AS members
    FROM roles r LEFT JOIN member_roles mr ON mr.role_id = r.id WHERE r.server_id = $1::uuid GROUP BY r.id`,
  row: z.object({ id: z.string(), members: z.int() }),
});

/** How many members each role has; the everyone role is not among them. */
async function memberCounts({ api, database, id, params }: BotCall): Promise<Record<string, number>> {
  const serverId = await serverOf({ id, params });
  await api.get(`/servers/${serverId}`);
  const rows = await database.query(countMembers, [serverId]);
  return Object.fromEntries(rows.filter(isShown).map((row) => [snowflakeOf(row.id), row.members]));
}

export const roleRoutes = [
  route("GET", "/guilds/:guild_id/roles/member-counts", memberCounts),
  route("GET", "/guilds/:guild_id/roles", async (call) => listed(call, await serverOf(call))),
  route("POST", "/guilds/:guild_id/roles", createRole),
  route("PATCH", "/guilds/:guild_id/roles", moveRoles),
  route("GET", "/guilds/:guild_id/roles/:role_id", async (call) => {
    const serverId = await serverOf(call);
    await call.api.get(`/servers/${serverId}`);
    return shownRole(call, serverId, await roleOf(call.id, call.params.role_id ?? "", serverId));
  }),
  route("PATCH", "/guilds/:guild_id/roles/:role_id", changeRole),
  route("DELETE", "/guilds/:guild_id/roles/:role_id", async (call) => {
    const serverId = await serverOf(call);
    const roleId = await call.id("role", call.params.role_id ?? "", 10011, serverId);
    await call.api.send("DELETE", `/servers/${serverId}/roles/${roleId}`);
  }),
];
