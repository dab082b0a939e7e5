import { errorTexts, forbidden, invalidInput, notFound } from "@parley/contracts";
import { defineStatement, rowsOfArrays } from "@parley/database";
import type { Database } from "@parley/database/prisma";
import type { AutomodSettings } from "@parley/moderation";
import { accessColumns, accessRow, hasPermission, resolveAccess } from "@parley/permissions";
import { createBatcher } from "@parley/service-runtime";
import { z } from "zod";
import { requireView } from "../../access/channel-access.js";
import { nonceMessageColumn } from "../../nonces/repository.js";
import { automodEvidence, automodEvidenceColumn, type Evidence, noEvidence } from "../automod/settings.js";
import { authorColumns, authorRow, resolveAuthor } from "./author-columns.js";
import type { MessageDraft } from "./draft.js";
import { contextBatchMax, contextReadsInFlightMax } from "./limits.js";
import type { MentionCandidates } from "./mentions.js";

/** A draft without its content. */
type Place = Omit<MessageDraft, "content" | "poll" | "event" | "files">;

/** The data that a message is checked with before it is stored. */
export interface SendContext {
  serverId: string;
  /** Members mentioned, in order of first mention. */
  mentionUserIds: string[];
  mentionEveryone: boolean;
  /** Value of `authorStanding`. */
  standing: string;
  /** Whether the author may attach files. */
  mayAttach: boolean;
  /** Whether the message replied to exists in this channel. */
  replyTargetExists: boolean;
  /** The message that an earlier request with the same nonce created, or null. */
  repeatedId: string | null;
  automod: AutomodSettings;
  evidence: Evidence;
}

/** One row per draft, in their order; its columns are null if the channel does not exist or the user is no member. */
const contextStatement = defineStatement({
  name: "message_send_context",
  text: `SELECT context.*
    FROM ${rowsOfArrays("uuid", "uuid", "uuid", "uuid", "text", "text")} WITH ORDINALITY
      AS q (channel_id, user_id, reply_to, thread_id, usernames, nonce, position)
    LEFT JOIN LATERAL (
      SELECT c.server_id, ${accessColumns("q.user_id")},
        ${authorColumns({ serverId: "c.server_id", userId: "q.user_id", usernames: "q.usernames" })},
        ${automodEvidenceColumn},
        EXISTS (
          SELECT 1 FROM messages r WHERE r.id = q.reply_to AND r.channel_id = c.id AND NOT r.deleted
        ) AS reply_target_exists,
        (SELECT r.thread_id IS NOT NULL FROM messages r
          WHERE r.id = q.thread_id AND r.channel_id = c.id AND NOT r.deleted) AS root_is_reply,
        ${nonceMessageColumn({ authorId: "q.user_id", channelId: "c.id", nonce: "q.nonce" })}
      FROM channels c
      JOIN servers s ON s.id = c.server_id
      JOIN members m ON m.server_id = c.server_id AND m.user_id = q.user_id
      LEFT JOIN automod_configs a ON a.server_id = c.server_id
      WHERE c.id = q.channel_id) AS context ON true
    ORDER BY q.position`,
  row: z.union([
    accessRow.extend(authorRow.shape).extend({
      server_id: z.string(),
      automod_evidence: automodEvidence,
      reply_target_exists: z.boolean(),
      root_is_reply: z.boolean().nullable(),
      nonce_message_id: z.string().nullable(),
    }),
    z.object({ server_id: z.null() }).transform(() => null),
  ]),
});

/**
 * Reads the context of a message, and makes the checks of the send pipeline that precede auto-moderation
 * (docs/interface.md#7.1).
 *
 * @throws ServiceError 404 for a missing channel and for non-members, 403 without VIEW_CHANNEL or SEND_MESSAGES or
 * while timed out, 404 for a missing root message, 400 for a root that is a thread reply itself
 */
export type RequireSendContext = (place: Place, mentions: MentionCandidates) => Promise<SendContext>;

/** Contexts of messages that arrive while statements run share the next one. */
export function createRequireSendContext({ database }: { database: Database }): RequireSendContext {
  const read = createBatcher({
    batchMax: contextBatchMax,
    inFlightMax: contextReadsInFlightMax,
    work: (items: readonly { place: Place; usernames: readonly string[] }[]) =>
      database.query(contextStatement, [
        items.map(({ place }) => place.channelId),
        items.map(({ place }) => place.authorId),
        items.map(({ place }) => place.replyTo ?? null),
        items.map(({ place }) => place.threadId ?? null),
        items.map(({ usernames }) => JSON.stringify(usernames)),
        items.map(({ place }) => place.nonce ?? null),
      ]),
  });

  return async (place, mentions) => {
    const readAt = performance.now();
    const row = await read({ place, usernames: mentions.usernames });
    if (row === null) throw notFound(errorTexts.channel_not_found);
    const permissions = resolveAccess(row, place.authorId);
    requireView({ permissions });
    if (!hasPermission(permissions, "SEND_MESSAGES")) throw forbidden(errorTexts.send_messages_required);
    const mentioned = resolveAuthor(row, mentions);
    if (place.threadId && row.root_is_reply === null) throw notFound(errorTexts.message_not_found);
    if (place.threadId && row.root_is_reply) throw invalidInput(errorTexts.nested_thread);
    return {
      ...mentioned,
      serverId: row.server_id,
      mayAttach: hasPermission(permissions, "ATTACH_FILES"),
      replyTargetExists: row.reply_target_exists,
      repeatedId: row.nonce_message_id,
      automod: row.automod,
      evidence: { ...(row.automod_evidence ?? noEvidence), readAt },
    };
  };
}
