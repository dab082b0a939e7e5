import { AutomodRuleAction, AutomodTrigger } from "@parley/contracts";
import { buildPatternSet, type PatternSet } from "@parley/rule-patterns";
import { z } from "zod";
import { buildRuleWords, type RuleWords } from "../rules/words.js";

/** A rule as it is stored. */
export const StoredRule = z.object({
  id: z.string(),
  trigger: AutomodTrigger,
  actions: z.array(AutomodRuleAction),
  exempt_role_ids: z.array(z.string()),
  exempt_channel_ids: z.array(z.string()),
  pattern_sizes: z.array(z.int()),
  /** Milliseconds of the database's clock. */
  updated_at_ms: z.number(),
});
export type StoredRule = z.infer<typeof StoredRule>;

/** A rule in the form in which it judges. */
export interface CompiledRule extends Pick<StoredRule, "id" | "trigger" | "actions"> {
  readonly exemptRoleIds: readonly string[];
  readonly exemptChannelIds: readonly string[];
  readonly updatedAtMs: number;
  /** The words of a rule for words or names. */
  readonly words: RuleWords | null;
  /** The domains of a rule for links. */
  readonly domains: ReadonlySet<string>;
  /** For a rule with patterns: where its own begin in those of the server. */
  readonly firstPattern: number;
}

/** The enabled rules of a server, oldest first. */
export interface RuleSet {
  readonly rules: readonly CompiledRule[];
  /** The patterns of all rules, which are searched in one pass. */
  readonly patterns: PatternSet;
  readonly bytes: number;
}

const ruleBytes = 2_000;
const domainBytes = 150;

/** The order of rules of several servers that wait to be compiled: characters of words, instructions of patterns. */
export function sizeOfRules(rules: readonly StoredRule[]): number {
  return rules.reduce((sum, { trigger, pattern_sizes }) => {
    const words = "words" in trigger ? [...trigger.words, ...trigger.allow] : [];
    const sizes = [...words.map(({ length }) => length), ...pattern_sizes.map((size) => size * 10)];
    return sizes.reduce((all, size) => all + size, sum);
  }, 0);
}

/** Compiles the rules of a server in short steps. */
export function* compileRules(stored: readonly StoredRule[]): Generator<void, RuleSet, void> {
  const rules: CompiledRule[] = [];
  const patterns: { pattern: string; size: number }[] = [];
  let bytes = 0;
  for (const { trigger, pattern_sizes, ...rule } of stored) {
    const words = "words" in trigger ? yield* buildRuleWords(trigger) : null;
    const domains = new Set(trigger.type === "links" ? trigger.domains : []);
    rules.push({
      id: rule.id,
      trigger,
      actions: rule.actions,
      exemptRoleIds: rule.exempt_role_ids,
      exemptChannelIds: rule.exempt_channel_ids,
      updatedAtMs: rule.updated_at_ms,
      words,
      domains,
      firstPattern: patterns.length,
    });
    bytes += ruleBytes + domains.size * domainBytes + (words?.bytes ?? 0);
    if (trigger.type === "regex") {
      for (const [index, pattern] of trigger.patterns.entries())
        patterns.push({ pattern, size: pattern_sizes[index] ?? 0 });
    }
    yield;
  }
  const set = yield* buildPatternSet(patterns);
  return { rules, patterns: set, bytes: bytes + set.bytes };
}
