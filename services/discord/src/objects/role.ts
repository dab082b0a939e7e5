import { defaultRoleColor, type Role } from "@parley/contracts";
import type { APIRole } from "discord-api-types/v10";
import { snowflakeOf } from "../ids/snowflake.js";
import { toRoleBits } from "../permissions.js";
import { noFlags } from "./user.js";

/** `#rrggbb` as a number. */
export const toColor = (color: string): number => Number.parseInt(color.slice(1), 16);
/** A number as `#rrggbb`; 0 is no colour, which ours by default stands for. */
export const fromColor = (color: number): string =>
  color === 0 ? defaultRoleColor : `#${color.toString(16).padStart(6, "0")}`;

/** A role, and the account of the bot that it was made for. */
export type RoleFields = Omit<Role, "created_at"> & { readonly bot_id?: string | null };

/** Discord's role. */
export function toRole(role: RoleFields): APIRole {
  const { bot_id: botId = null } = role;
  const isEveryone = role.id === role.server_id;
  // A role without a colour has ours by default.
  const color = role.color.toLowerCase() === defaultRoleColor ? 0 : toColor(role.color);
  return {
    id: snowflakeOf(role.id),
    name: isEveryone ? "@everyone" : role.name,
    color,
    colors: { primary_color: color, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position: role.position,
    permissions: toRoleBits(role.permissions, role.rights ?? []),
    managed: botId !== null,
    mentionable: role.mentionable ?? false,
    flags: noFlags,
    ...(botId === null ? {} : { tags: { bot_id: snowflakeOf(botId) } }),
  };
}
