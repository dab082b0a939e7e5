import { errorTexts, forbidden, invalidInput, type MessageAuthor, notFound } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { AutomodRulesSettings, AutomodSettings } from "@parley/moderation";
import { hasPermission, hasRight, resolveAccess, resolveAccessRights } from "@parley/permissions";
import { createBatcher } from "@parley/service-runtime";
import { requireAll, sending, viewing } from "../../access/needs.js";
import { requireWriting } from "../../access/safety.js";
import { type Evidence, noEvidence } from "../../rules/automod/evidence.js";
import type { MentionCandidates } from "../../rules/mentions/mentions.js";
import { resolveAuthor } from "./author.js";
import { type DraftPlace, findSendContexts } from "./author-repository.js";
import type { SlowMode } from "./slow-mode.js";

/** Most send contexts that one statement reads. */
const contextBatchMax = 100;

/** Concurrent statements that read send contexts. */
const contextReadsInFlightMax = 2;

/** The data that a message is checked with before it is stored. */
export interface SendContext {
  serverId: string;
  author: MessageAuthor;
  /** Members mentioned, in order of first mention. */
  mentionUserIds: string[];
  mentionEveryone: boolean;
  /** Roles mentioned, in order of first mention. */
  mentionRoleIds: string[];
  /** Whether it mentions the members who are connected. */
  mentionHere: boolean;
  /** Value of `authorVersion`. */
  authorVersion: string;
  /** Whether the author may attach files. */
  mayAttach: boolean;
  /** The author of the message replied to, empty for one without; null when it does not exist in this channel. */
  answeredAuthorId: string | null;
  /** The message that an earlier request with the same nonce created, or null. */
  repeatedId: string | null;
  /** Null where the channel has none, and for an exempt author. */
  slowMode: SlowMode | null;
  automod: AutomodSettings;
  automodRules: AutomodRulesSettings;
  evidence: Evidence;
}

/**
 * Reads the context of a message, and makes the checks of the send pipeline that precede auto-moderation
 * (docs/protocol/messages.md#7.1).
 *
 * @throws ServiceError 404 for a missing channel and for non-members, 403 without VIEW_CHANNEL or SEND_MESSAGES or
 * while timed out or for newcomers, 404 for a missing root message, 400 for a root that is a thread reply itself, 403 for a
 * closed thread without MANAGE_MESSAGES
 */
export type RequireSendContext = (place: DraftPlace, mentions: MentionCandidates) => Promise<SendContext>;

/** Contexts of messages that arrive while statements run share the next one. */
export function createRequireSendContext({ database }: { database: Database }): RequireSendContext {
  const read = createBatcher({
    batchMax: contextBatchMax,
    inFlightMax: contextReadsInFlightMax,
    work: (items: readonly { place: DraftPlace; mentions: MentionCandidates }[]) => findSendContexts(database, items),
  });

  return async (place, mentions) => {
    const readAt = performance.now();
    const row = await read({ place, mentions });
    if (row === null) throw notFound(errorTexts.channel_not_found);
    const permissions = resolveAccess(row, place.authorId);
    requireAll({ permissions }, [viewing, sending]);
    const rights = resolveAccessRights(row, place.authorId);
    const resolved = resolveAuthor(row, mentions, rights);
    requireWriting({ permissions, safety: row.safety });
    if (place.threadId && row.root_state === null) throw notFound(errorTexts.message_not_found);
    if (row.root_state === "reply") throw invalidInput(errorTexts.nested_thread);
    if (row.root_state === "closed" && !hasPermission(permissions, "MANAGE_MESSAGES"))
      throw forbidden(errorTexts.thread_closed);
    return {
      serverId: row.server_id,
      author: row.author,
      ...resolved,
      mayAttach: hasPermission(permissions, "ATTACH_FILES"),
      answeredAuthorId: row.answered_author_id,
      repeatedId: row.nonce_message_id,
      slowMode:
        row.slow_mode_wait_ms === null || hasRight(rights, "bypass_slow_mode")
          ? null
          : { seconds: row.slow_mode_seconds, waitMs: row.slow_mode_wait_ms },
      automod: row.automod,
      automodRules: row.automod_rules,
      evidence: { ...(row.automod_evidence ?? noEvidence), readAt },
    };
  };
}
