import { AutomodEvidence, AutomodRuleType, duplicateWindowMs } from "@parley/contracts";
import { z } from "zod";
import { evidenceMessagesMax } from "./limits.js";

/**
 * A server's auto-moderation, read in the statement that decides about a message anyway: null where it is off, which
 * costs nothing more. For a server `s` with its configuration `a`.
 */
export const automodColumn = `CASE WHEN a.enabled THEN json_build_object(
    'rules', array_remove(ARRAY[
      CASE WHEN a.word_filter_enabled THEN 'word_filter' END,
      CASE WHEN a.duplicate_enabled THEN 'duplicate' END,
      CASE WHEN a.spam_enabled THEN 'spam' END], NULL),
    'words_version', s.automod_words_version,
    'spam_max_messages', a.spam_max_messages,
    'spam_window_secs', a.spam_window_secs) END AS automod`;

/** Shape of {@link automodColumn}. */
export const automodSettings = z
  .object({
    /** Rules that are switched on. */
    rules: z.array(AutomodRuleType),
    words_version: z.int(),
    spam_max_messages: z.int(),
    spam_window_secs: z.int(),
  })
  .nullable();
export type AutomodSettings = z.infer<typeof automodSettings>;

/**
 * What clears most messages without another look (docs/interface.md#11.2, rules 5 and 6), read only where a rule wants
 * it. For a user `q.user_id` in a channel `c` of a server with the configuration `a`. More messages than the rules can
 * make use of are no evidence.
 */
export const automodEvidenceColumn = `CASE WHEN a.enabled AND (a.duplicate_enabled OR a.spam_enabled) THEN json_build_object(
    'recent_texts', CASE WHEN a.duplicate_enabled THEN (
      SELECT CASE WHEN count(*) <= ${evidenceMessagesMax} THEN coalesce(json_agg(crc32(convert_to(content, 'UTF8'))), '[]') END
      FROM (
        SELECT r.content FROM messages r
        WHERE r.author_id = q.user_id AND r.channel_id = c.id AND NOT r.deleted
          AND r.created_at >= now() - interval '${duplicateWindowMs} milliseconds'
        LIMIT ${evidenceMessagesMax + 1}) AS recent) END,
    'recent_messages', CASE WHEN a.spam_enabled THEN (
      SELECT count(*) FROM (
        SELECT FROM messages r
        WHERE r.author_id = q.user_id AND r.server_id = c.server_id
          AND r.created_at > now() - a.spam_window_secs * interval '1 second'
        LIMIT ${evidenceMessagesMax}) AS recent) END) END AS automod_evidence`;

/** Shape of {@link automodEvidenceColumn}. */
export const automodEvidence = AutomodEvidence.nullable();

/** What the database knew of the author's latest messages. */
export interface Evidence extends AutomodEvidence {
  /** When it was asked, by `performance.now()`. */
  readAt: number;
}

/** The rules look for themselves then. */
export const noEvidence: AutomodEvidence = { recent_texts: null, recent_messages: null };
