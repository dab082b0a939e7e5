import { forbidden, invalidInput, notFound } from "@parley/contracts";
import { type Database, defineStatement } from "@parley/database";
import { hasPermission } from "@parley/permissions";
import { z } from "zod";
import { accessColumns, accessRow, requireView, resolveAccess } from "../access/channel-access.js";
import { type AutomodSettings, automodColumn, automodSettings } from "../automod/settings.js";
import { findMentions } from "./mentions.js";

/** Everything that decides about a message before it is stored, read in one statement. */
export interface SendContext {
  serverId: string;
  /** Members mentioned, in order of first mention. */
  mentionUserIds: string[];
  mentionEveryone: boolean;
  /** Whether the message replied to exists in this channel. */
  replyTargetExists: boolean;
  automod: AutomodSettings;
}

const contextStatement = defineStatement({
  name: "message_send_context",
  text: `SELECT c.server_id, ${accessColumns},
      EXISTS (
        SELECT 1 FROM timeouts t
        WHERE t.server_id = c.server_id AND t.user_id = $2 AND t.expires_at > now()
          AND (NOT t.automatic OR coalesce(a.enabled, false))) AS timed_out,
      ${automodColumn},
      EXISTS (SELECT 1 FROM messages r WHERE r.id = $3 AND r.channel_id = c.id AND NOT r.deleted) AS reply_target_exists,
      (SELECT r.thread_id IS NOT NULL FROM messages r
        WHERE r.id = $5 AND r.channel_id = c.id AND NOT r.deleted) AS root_is_reply,
      coalesce((
        SELECT json_agg(json_build_object('id', u.id, 'username', u.username))
        FROM users u JOIN members mm ON mm.user_id = u.id AND mm.server_id = c.server_id
        WHERE u.username = ANY($4::text[])), '[]') AS mentioned
    FROM channels c
    JOIN servers s ON s.id = c.server_id
    JOIN members m ON m.server_id = c.server_id AND m.user_id = $2
    LEFT JOIN automod_configs a ON a.server_id = c.server_id
    WHERE c.id = $1`,
  row: accessRow.extend({
    server_id: z.string(),
    timed_out: z.boolean(),
    automod: automodSettings,
    reply_target_exists: z.boolean(),
    root_is_reply: z.boolean().nullable(),
    mentioned: z.array(z.object({ id: z.string(), username: z.string() })),
  }),
});

/**
 * Reads what a message needs and makes the checks that come before auto-moderation (contract.md 7.1, send pipeline).
 *
 * @param input.replyTo id of the message replied to, null for none
 * @param input.threadId id of the root message of a thread reply, null for none
 * @throws ServiceError 404 for a missing channel and for non-members, 403 without VIEW_CHANNEL or SEND_MESSAGES or
 * while timed out, 404 for a missing root message, 400 for a root that is a thread reply itself
 */
export async function requireSendContext(
  database: Database,
  input: { userId: string; channelId: string; content: string; replyTo: string | null; threadId: string | null },
): Promise<SendContext> {
  const { userId, channelId, content, replyTo, threadId } = input;
  const mentions = findMentions(content);
  const [row] = await database.query(contextStatement, [channelId, userId, replyTo, mentions.usernames, threadId]);
  if (row === undefined) throw notFound("Channel not found");
  const permissions = resolveAccess(row, userId);
  requireView({ permissions });
  if (!hasPermission(permissions, "SEND_MESSAGES")) {
    throw forbidden("You don't have permission to send messages in this channel");
  }
  if (row.timed_out) throw forbidden("User is timed out");
  if (threadId !== null && row.root_is_reply === null) throw notFound("Message not found");
  if (threadId !== null && row.root_is_reply) throw invalidInput("Cannot create a thread from a thread reply");
  const idByName = new Map(row.mentioned.map((user) => [user.username, user.id]));
  return {
    serverId: row.server_id,
    mentionUserIds: mentions.usernames.flatMap((name) => idByName.get(name) ?? []),
    mentionEveryone: mentions.everyone,
    replyTargetExists: row.reply_target_exists,
    automod: row.automod,
  };
}
