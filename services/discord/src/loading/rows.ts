import { rightNamesOf } from "@parley/contracts";
import { z } from "zod";

/** A role as it is stored. */
export const roleRow = z.object({
  id: z.string(),
  server_id: z.string(),
  name: z.string(),
  permissions: z.int(),
  rights: z.int().transform(rightNamesOf),
  color: z.string(),
  position: z.int(),
  mentionable: z.boolean(),
  bot_id: z.string().nullable(),
});
/** SQL of the account of the bot that the role `r` was made for: a holder whose name it has, among a few, as it has one. */
export const botOfRole = `(SELECT b.user_id FROM (
    SELECT user_id FROM member_roles WHERE server_id = r.server_id AND role_id = r.id LIMIT 20) AS holder
  JOIN bots b ON b.user_id = holder.user_id AND b.name = r.name LIMIT 1)`;
export const roleColumns = [
  "id",
  "server_id",
  "name",
  "permissions",
  "rights",
  "color",
  "position",
  "mentionable",
] as const;

/** SQL arguments of json_build_object for columns of an alias. */
export const jsonFields = (alias: string, ...names: readonly string[]) =>
  names.map((name) => `'${name}', ${alias}.${name}`).join(", ");
/** SQL of the rows of a FROM clause as a JSON array. */
export const jsonRows = (fields: string, from: string) =>
  `coalesce((SELECT json_agg(json_build_object(${fields})) FROM ${from}), '[]')`;
/** SQL of the roles of the server `s`. */
export const rolesOfServer = jsonRows(
  `${jsonFields("r", ...roleColumns)}, 'bot_id', ${botOfRole}`,
  "roles r WHERE r.server_id = s.id",
);
/** SQL of its custom emoji. */
export const emojisOfServer = jsonRows(
  jsonFields("e", "id", "name", "content_type"),
  "custom_emojis e WHERE e.server_id = s.id",
);

/** A channel as it is stored, with its time as text. */
export const channelRow = z.object({
  id: z.string(),
  server_id: z.string(),
  name: z.string(),
  type: z.enum(["text", "voice"]),
  position: z.int(),
  category: z.string().nullable(),
  topic: z.string().nullable(),
  slow_mode_seconds: z.int(),
  user_limit: z.int(),
  created_at: z.string(),
});

/** A permission override of a channel. */
export const overrideRow = z.object({
  role_id: z.string().nullable(),
  user_id: z.string().nullable(),
  allow: z.int(),
  deny: z.int(),
});

export const emojiRow = z.object({ id: z.string(), name: z.string(), content_type: z.string() });
