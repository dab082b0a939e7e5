import { AutomodRuleType } from "@parley/contracts";
import { z } from "zod";

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
