import { forbidden, invalidInput, notFound } from "@parley/contracts";
import { type Database, defineStatement, rowsOfArrays } from "@parley/database";
import { hasPermission } from "@parley/permissions";
import { createBatcher } from "@parley/service-runtime";
import { z } from "zod";
import { accessColumns, accessRow, requireView, resolveAccess } from "../access/channel-access.js";
import {
  type AutomodSettings,
  automodColumn,
  automodEvidence,
  automodEvidenceColumn,
  automodSettings,
  type Evidence,
  noEvidence,
} from "../automod/settings.js";
import { contextBatchMax, contextReadsInFlightMax } from "./limits.js";
import { findMentions } from "./mentions.js";

/** Everything that decides about a message before it is stored. */
export interface SendContext {
  serverId: string;
  /** Members mentioned, in order of first mention. */
  mentionUserIds: string[];
  mentionEveryone: boolean;
  /** Whether the message replied to exists in this channel. */
  replyTargetExists: boolean;
  automod: AutomodSettings;
  evidence: Evidence;
}

/** What the statement is asked about one message. */
interface Question {
  userId: string;
  channelId: string;
  replyTo: string | null;
  threadId: string | null;
  /** Names that the message may mention. */
  usernames: readonly string[];
}

/** One row per question, in order; all null where there is no such channel or the user is no member. */
const contextStatement = defineStatement({
  name: "message_send_context",
  text: `SELECT context.*
    FROM ${rowsOfArrays("uuid", "uuid", "uuid", "uuid", "text")} WITH ORDINALITY
      AS q (channel_id, user_id, reply_to, thread_id, usernames, position)
    LEFT JOIN LATERAL (
      SELECT c.server_id, ${accessColumns("q.user_id")},
        EXISTS (
          SELECT 1 FROM timeouts t
          WHERE t.server_id = c.server_id AND t.user_id = q.user_id AND t.expires_at > now()
            AND (NOT t.automatic OR coalesce(a.enabled, false))) AS timed_out,
        ${automodColumn},
        ${automodEvidenceColumn},
        EXISTS (
          SELECT 1 FROM messages r WHERE r.id = q.reply_to AND r.channel_id = c.id AND NOT r.deleted
        ) AS reply_target_exists,
        (SELECT r.thread_id IS NOT NULL FROM messages r
          WHERE r.id = q.thread_id AND r.channel_id = c.id AND NOT r.deleted) AS root_is_reply,
        CASE WHEN q.usernames = '[]' THEN '[]' ELSE coalesce((
          SELECT json_agg(json_build_object('id', u.id, 'username', u.username))
          FROM jsonb_array_elements_text(q.usernames::jsonb) AS wanted (username)
          JOIN users u ON u.username = wanted.username
          JOIN members mm ON mm.user_id = u.id AND mm.server_id = c.server_id), '[]') END AS mentioned
      FROM channels c
      JOIN servers s ON s.id = c.server_id
      JOIN members m ON m.server_id = c.server_id AND m.user_id = q.user_id
      LEFT JOIN automod_configs a ON a.server_id = c.server_id
      WHERE c.id = q.channel_id) AS context ON true
    ORDER BY q.position`,
  row: z.union([
    accessRow.extend({
      server_id: z.string(),
      timed_out: z.boolean(),
      automod: automodSettings,
      automod_evidence: automodEvidence,
      reply_target_exists: z.boolean(),
      root_is_reply: z.boolean().nullable(),
      mentioned: z.array(z.object({ id: z.string(), username: z.string() })),
    }),
    z.object({ server_id: z.null() }).transform(() => null),
  ]),
});

/**
 * Reads what a message needs and makes the checks that come before auto-moderation (docs/interface.md#7.1, send
 * pipeline).
 *
 * @param input.replyTo id of the message replied to, null for none
 * @param input.threadId id of the root message of a thread reply, null for none
 * @throws ServiceError 404 for a missing channel and for non-members, 403 without VIEW_CHANNEL or SEND_MESSAGES or
 * while timed out, 404 for a missing root message, 400 for a root that is a thread reply itself
 */
export type RequireSendContext = (input: {
  userId: string;
  channelId: string;
  content: string;
  replyTo: string | null;
  threadId: string | null;
}) => Promise<SendContext>;

/** Messages that arrive together are read about together: the reads of a busy moment share a round trip. */
export function createRequireSendContext({ database }: { database: Database }): RequireSendContext {
  const read = createBatcher({
    batchMax: contextBatchMax,
    inFlightMax: contextReadsInFlightMax,
    work: (questions: readonly Question[]) =>
      database.query(contextStatement, [
        questions.map(({ channelId }) => channelId),
        questions.map(({ userId }) => userId),
        questions.map(({ replyTo }) => replyTo),
        questions.map(({ threadId }) => threadId),
        questions.map(({ usernames }) => JSON.stringify(usernames)),
      ]),
  });

  return async ({ userId, channelId, content, replyTo, threadId }) => {
    const mentions = findMentions(content);
    const readAt = performance.now();
    const row = await read({ userId, channelId, replyTo, threadId, usernames: mentions.usernames });
    if (row === null) throw notFound("Channel not found");
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
      evidence: { ...(row.automod_evidence ?? noEvidence), readAt },
    };
  };
}
