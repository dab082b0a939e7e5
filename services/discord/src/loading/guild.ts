import { defaultRoleColor, rightNamesOf } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { APIEmoji, APIRole } from "discord-api-types/v10";
import { z } from "zod";
import { isShown } from "../ids/snowflake.js";
import { toEmoji } from "../objects/emoji.js";
import { toRole } from "../objects/role.js";
import type { Reading } from "./context.js";
import { emojiRow, emojisOfServer, overrideRow, roleRow, rolesOfServer } from "./rows.js";

const findParts = defineStatement({
  name: "discord_guild_parts",
  text: `
SELECT s.everyone_permissions, s.everyone_rights, ${rolesOfServer} AS roles, ${emojisOfServer} AS emojis
FROM servers s WHERE s.id = $1::uuid`,
  row: z.object({
    everyone_permissions: z.int(),
    everyone_rights: z.int(),
    roles: z.array(roleRow),
    emojis: z.array(emojiRow),
  }),
});

/** The role of everybody, which has the server's id. */
export const everyoneRole = (
  serverId: string,
  { everyone_permissions, everyone_rights }: { everyone_permissions: number; everyone_rights: number },
) => ({
  id: serverId,
  server_id: serverId,
  name: "everyone",
  permissions: everyone_permissions,
  rights: rightNamesOf(everyone_rights),
  color: defaultRoleColor,
  position: 0,
});

/** Roles, with the everyone role first, and custom emoji of a server. */
export async function loadGuildParts(
  database: Reading,
  serverId: string,
): Promise<{ roles: APIRole[]; emojis: APIEmoji[] }> {
  const [parts] = await database.query(findParts, [serverId]);
  if (parts === undefined) return { roles: [], emojis: [] };
  const others = parts.roles.filter(isShown).map(toRole);
  return {
    roles: [toRole(everyoneRole(serverId, parts)), ...others],
    emojis: parts.emojis.filter(isShown).map(toEmoji),
  };
}

const findOverrides = defineStatement({
  name: "discord_channel_overrides",
  text: `
SELECT o.channel_id, o.user_id, o.allow, o.deny, CASE WHEN o.user_id IS NULL THEN coalesce(o.role_id, c.server_id) END AS role_id
FROM channel_overrides o JOIN channels c ON c.id = o.channel_id WHERE o.channel_id = ANY ($1::uuid[])`,
  row: overrideRow.extend({ channel_id: z.string() }),
});
/** The overrides of channels that a bot may view. */
export async function loadOverrides(database: Reading, channelIds: readonly string[]) {
  const rows = channelIds.length === 0 ? [] : await database.query(findOverrides, [channelIds]);
  const byChannel = new Map<string, typeof rows>();
  for (const row of rows) byChannel.set(row.channel_id, [...(byChannel.get(row.channel_id) ?? []), row]);
  return byChannel;
}
