import { AutomodRuleType, AutomodTriggerType } from "@parley/contracts";
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

/** Settings in requests of servers where the rules of docs/protocol/automod.md#11 are off; automod does not read them then. */
export const settingsWhileOff = { words_version: 0, spam_max_messages: 50, spam_window_secs: 1 };

/**
 * The rules that a server has made (docs/protocol/automod.md#24.8), read in the same statement: null where none is enabled. For a
 * server `s`.
 */
export const automodRulesColumn = `CASE WHEN s.automod_rule_types <> '{}' THEN json_build_object(
    'version', s.automod_rules_version, 'types', s.automod_rule_types) END AS automod_rules`;

/** Shape of {@link automodRulesColumn}. */
export const automodRulesSettings = z
  .object({
    version: z.int(),
    /** Triggers of the enabled rules. */
    types: z.array(AutomodTriggerType),
  })
  .nullable();
export type AutomodRulesSettings = z.infer<typeof automodRulesSettings>;
