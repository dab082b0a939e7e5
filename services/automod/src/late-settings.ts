import type { AutomodRuleType } from "@parley/contracts";
import { type Database, defineStatement } from "@parley/database";
import { z } from "zod";

/** A server's auto-moderation as it is now, for messages whose senders could not ask. */
export interface LateSettings {
  /** Rules that are switched on. */
  rules: AutomodRuleType[];
  wordsVersion: number;
  spamMaxMessages: number;
  spamWindowSecs: number;
}

const settingsStatement = defineStatement({
  name: "automod_late_settings",
  text: `SELECT s.automod_words_version AS words_version, a.word_filter_enabled, a.duplicate_enabled, a.spam_enabled,
      a.spam_max_messages, a.spam_window_secs
    FROM servers s JOIN automod_configs a ON a.server_id = s.id
    WHERE s.id = $1 AND a.enabled`,
  row: z.object({
    words_version: z.int(),
    word_filter_enabled: z.boolean(),
    duplicate_enabled: z.boolean(),
    spam_enabled: z.boolean(),
    spam_max_messages: z.int(),
    spam_window_secs: z.int(),
  }),
});

/** @returns null when auto-moderation is off */
export async function findLateSettings(database: Database, serverId: string): Promise<LateSettings | null> {
  const [row] = await database.query(settingsStatement, [serverId]);
  if (row === undefined) return null;
  const rules: AutomodRuleType[] = [];
  if (row.word_filter_enabled) rules.push("word_filter");
  if (row.duplicate_enabled) rules.push("duplicate");
  if (row.spam_enabled) rules.push("spam");
  return {
    rules,
    wordsVersion: row.words_version,
    spamMaxMessages: row.spam_max_messages,
    spamWindowSecs: row.spam_window_secs,
  };
}
