import { setImmediate as pause } from "node:timers/promises";
import {
  type AutomodTrigger,
  errorTexts,
  invalidInput,
  rulePatternSizePerServerMax,
  rulesPerServerMax,
  ruleWordsPerServerMax,
} from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import { checkPattern } from "@parley/rule-patterns";
import { findTotals, type RuleFields } from "./repository.js";

/**
 * A trigger's share of its server's caps. A pattern takes up to a few milliseconds to compile, and other requests go on
 * in between.
 *
 * @throws ServiceError 400 with the place of the first fault in a pattern
 */
export async function measure(trigger: AutomodTrigger): Promise<Pick<RuleFields, "word_count" | "pattern_sizes">> {
  const word_count = "words" in trigger ? trigger.words.length + trigger.allow.length : 0;
  const pattern_sizes: number[] = [];
  for (const [index, pattern] of trigger.type === "regex" ? trigger.patterns.entries() : []) {
    const check = checkPattern(pattern);
    if ("fault" in check) {
      const place = `patterns[${index}]: ${check.fault} at position ${check.position}`;
      throw invalidInput(errorTexts.rule_pattern_invalid(place));
    }
    pattern_sizes.push(check.size);
    await pause();
  }
  return { word_count, pattern_sizes };
}

/** @throws ServiceError 400 when the server would have too many rules, words or patterns */
export async function requireCapacity(
  transaction: Transaction,
  serverId: string,
  { word_count, pattern_sizes }: RuleFields,
  changedId: string | null,
): Promise<void> {
  const { rules, words, pattern_size } = await findTotals(transaction, serverId, changedId);
  if (rules >= rulesPerServerMax) throw invalidInput(errorTexts.rules_limit_reached(rulesPerServerMax));
  if (words + word_count > ruleWordsPerServerMax)
    throw invalidInput(errorTexts.rule_words_too_many(ruleWordsPerServerMax));
  const size = pattern_sizes.reduce((sum, one) => sum + one, pattern_size);
  if (size > rulePatternSizePerServerMax) throw invalidInput(errorTexts.rule_patterns_too_large);
}
