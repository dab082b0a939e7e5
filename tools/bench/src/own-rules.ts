import { ruleLimits } from "@parley/contracts";
import { checkPattern } from "@parley/rule-patterns";
import type pg from "pg";

/** A rule with its share of its server's caps. */
interface Rule {
  trigger: object;
  wordCount: number;
  patternSizes: number[];
}

/** A rule of words, found as parts, whole words or beginnings in turn. */
export function wordRule(n: number, words: readonly string[]): Rule {
  const match = ["part", "word", "prefix"][n % 3];
  return { trigger: { type: "words", words, match, allow: [] }, wordCount: words.length, patternSizes: [] };
}

/** A rule of patterns that are no fault. */
export function patternRule(patterns: readonly string[]): Rule {
  const patternSizes = patterns.map((pattern) => {
    const check = checkPattern(pattern);
    if ("fault" in check) throw new Error(`${pattern}: ${check.fault}`);
    return check.size;
  });
  return { trigger: { type: "regex", patterns }, wordCount: 0, patternSizes };
}

/** As many rules as so many words and patterns need; no text of the benchmarks matches any. */
export function ordinaryRules(words: number, patterns: number): Rule[] {
  const word = (n: number) => `forbidden${n * 7919}`;
  const pattern = (n: number) =>
    [
      `(?i)\\bfree\\s*nitro${n}\\b`,
      `(?i)d[i1!]sc[o0]rd-?g[i1]ft${n}`,
      `\\b\\d{3}-\\d{4}-${n}\\b`,
      `(?i)(buy|sell)\\s+(cheap|gold)${n}`,
    ][n % 4] ?? "";
  const rules: Rule[] = [];
  for (let from = 0; from < words; from += ruleLimits.words)
    rules.push(
      wordRule(
        rules.length,
        Array.from({ length: Math.min(ruleLimits.words, words - from) }, (_, n) => word(from + n)),
      ),
    );
  for (let from = 0; from < patterns; from += ruleLimits.patterns)
    rules.push(
      patternRule(Array.from({ length: Math.min(ruleLimits.patterns, patterns - from) }, (_, n) => pattern(from + n))),
    );
  return rules;
}

/** Gives a server rules that block. */
export async function insertRules(pool: pg.Pool, serverId: string, rules: readonly Rule[]): Promise<void> {
  for (const { trigger, wordCount, patternSizes } of rules) {
    await pool.query(
      `INSERT INTO automod_rules (server_id, name, trigger, actions, word_count, pattern_sizes)
        VALUES ($1, 'rule', $2, '[{"type": "block"}]', $3, $4)`,
      [serverId, JSON.stringify(trigger), wordCount, patternSizes],
    );
  }
  await pool.query(
    `UPDATE servers SET automod_rules_version = automod_rules_version + 1, automod_rule_types = ARRAY(
        SELECT DISTINCT trigger ->> 'type' FROM automod_rules WHERE server_id = $1) WHERE id = $1`,
    [serverId],
  );
}
