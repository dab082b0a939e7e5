import { CommandOption, commandContexts, Member, PublicProfile } from "@parley/contracts";
import { defineStatement, jsonTime, rowsOfArrays, withUserMarks } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { memberObject, memberText } from "@parley/moderation";
import { accessColumns, accessRow } from "@parley/permissions";
import { z } from "zod";
import { safetyColumn, writerSafety } from "../../access/safety-repository.js";
import { defineExpiry } from "../../platform/jobs/expiry-repository.js";

/** Interactions whose 15 minutes have passed, with their ephemeral answers. */
export const expiredInteractions = defineExpiry({
  name: "expired interactions",
  table: "interactions",
  where: "expires_at < now() AND due_at IS NULL",
  order: "expires_at",
  everyMs: 10_000,
});

/** Whom an interaction is between, and where. */
export interface InteractionPlace {
  channelId: string;
  userId: string;
  botUserId: string;
  /** Null for an interaction that is no command. */
  commandId: string | null;
}

const commandOf = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  context: z.enum(commandContexts),
  options: z.array(CommandOption),
  default_permissions: z.int().nullable(),
});

const json = <T extends z.ZodType>(schema: T) =>
  z.string().transform((text): z.output<T> => schema.parse(JSON.parse(text)));

/**
 * The data that decides about interactions, and that their bots get about the invokers: a row for each, in their order,
 * with null columns for a missing channel, and for a user without a membership in its server.
 */
const contextStatement = defineStatement({
  name: "interaction_contexts",
  text: `SELECT context.*
    FROM ${rowsOfArrays("uuid", "uuid", "uuid", "uuid")} WITH ORDINALITY
      AS q (channel_id, user_id, bot_user_id, command_id, position)
    LEFT JOIN LATERAL (SELECT c.server_id, ${accessColumns("m.user_id")}, ${safetyColumn("m.user_id")},
      EXISTS (SELECT FROM timeouts t LEFT JOIN automod_configs a ON a.server_id = t.server_id
        WHERE t.server_id = c.server_id AND t.user_id = m.user_id AND t.expires_at > now()
          AND (NOT t.automatic OR coalesce(a.enabled, false))) AS timed_out,
      ${memberText} AS member,
      (SELECT ${withUserMarks(
        `json_build_object('id', u.id, 'username', u.username, 'avatar_url', u.avatar_url, 'bio', u.bio,
          'pronouns', u.pronouns, 'status', u.status, 'custom_status', u.custom_status, 'activity', u.activity,
          'created_at', ${jsonTime("u.created_at")})`,
        "u.id",
      )} FROM users u WHERE u.id = m.user_id) AS profile,
      (SELECT row_to_json(bot) FROM (
        SELECT ${accessColumns("b.user_id")}, b.interactions_url IS NOT NULL AS by_http
        FROM bots b JOIN members bm ON bm.user_id = b.user_id
        WHERE b.user_id = q.bot_user_id AND b.revoked_at IS NULL AND bm.server_id = c.server_id) AS bot) AS bot,
      (SELECT row_to_json(command) FROM (
        SELECT k.id, k.name, k.description, k.context, k.options, k.default_permissions
        FROM app_commands k JOIN bots b ON b.id = k.bot_id WHERE k.id = q.command_id AND b.user_id = q.bot_user_id
          AND (k.server_ids IS NULL OR c.server_id = ANY (k.server_ids))) AS command) AS command
    FROM channels c
    JOIN servers s ON s.id = c.server_id
    JOIN members m ON m.server_id = c.server_id AND m.user_id = q.user_id
    ${memberObject}
    WHERE c.id = q.channel_id) AS context ON true
    ORDER BY q.position`,
  row: z.union([
    accessRow.extend({
      server_id: z.string(),
      safety: writerSafety.nullable(),
      timed_out: z.boolean(),
      member: json(Member),
      profile: json(PublicProfile),
      bot: accessRow.extend({ by_http: z.boolean() }).nullable(),
      command: commandOf.nullable(),
    }),
    z.object({ server_id: z.null() }).transform(() => null),
  ]),
});
export type InteractionContext = NonNullable<Awaited<ReturnType<typeof findContexts>>[number]>;

/** Which of the ids $2 to $4 are members, channels and roles of the server $1; and whether $6 is a message of the channel $5. */
const referencesStatement = defineStatement({
  name: "interaction_references",
  text: `SELECT
      ARRAY(SELECT user_id::text FROM members WHERE server_id = $1 AND user_id = ANY ($2::uuid[])) AS users,
      ARRAY(SELECT id::text FROM channels WHERE server_id = $1 AND id = ANY ($3::uuid[])) AS channels,
      ARRAY(SELECT id::text FROM roles WHERE server_id = $1 AND id = ANY ($4::uuid[])) AS roles`,
  row: z.object({ users: z.array(z.string()), channels: z.array(z.string()), roles: z.array(z.string()) }),
});

/**
 * @returns one for each, in their order; null for a missing channel, and for a user without a membership in its server
 */
export function findContexts(connection: Queryable, places: readonly InteractionPlace[]) {
  return connection.query(contextStatement, [
    places.map(({ channelId }) => channelId),
    places.map(({ userId }) => userId),
    places.map(({ botUserId }) => botUserId),
    places.map(({ commandId }) => commandId),
  ]);
}

/** Selects the ids of options that a server has. */
export async function findReferences(
  connection: Queryable,
  serverId: string,
  ids: { user: readonly string[]; channel: readonly string[]; role: readonly string[] },
): Promise<Set<string>> {
  const [found] = await connection.query(referencesStatement, [serverId, ids.user, ids.channel, ids.role]);
  return new Set(found === undefined ? [] : [...found.users, ...found.channels, ...found.roles]);
}
