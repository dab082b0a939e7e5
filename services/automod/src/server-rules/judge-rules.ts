import type { AutomodServerRules, AutomodTriggerType } from "@parley/contracts";
import { type Database, defineStatement } from "@parley/database";
import { z } from "zod";
import { findForbiddenFile } from "../rules/attachments.js";
import { isShouted } from "../rules/caps.js";
import { type Folded, foldText } from "../rules/fold.js";
import { type FoundInvite, findInvites } from "../rules/invites.js";
import { findForbiddenHost, findHosts } from "../rules/links.js";
import type { CompiledRule, RuleSet } from "./compile.js";
import type { PatternSearch } from "./pattern-search.js";
import type { RepeatedMessage, Repetition } from "./repetition.js";
import type { RuleSets } from "./rule-sets.js";

/** The subject of a judgement by a server's rules: a message, an edit, files, or the names of a member. */
export interface Judged {
  serverId: string;
  userId: string;
  /** Null for names. */
  channelId: string | null;
  texts: readonly string[];
  facts: AutomodServerRules;
  /** The message for repetition; null where that does not apply. */
  repeated: RepeatedMessage | null;
  /** When the text was written, where rules that are newer must not judge it. */
  writtenAtMs: number | null;
  /** Whether every rule that would match is wanted, also after one that ends the judgement. */
  isTest?: boolean;
}

/** A rule that matched, with the term that it found. */
export interface RuleMatch {
  rule: CompiledRule;
  term: string | null;
}

/** The rules that matched, in their order, and the key that `repetition.giveUp` takes if the message is not stored. */
export interface RuleVerdict {
  matches: RuleMatch[];
  repetitionKey: string | null;
}

const rolesStatement = defineStatement({
  name: "automod_author_roles",
  text: "SELECT role_id AS id FROM member_roles WHERE server_id = $1 AND user_id = $2",
  row: z.object({ id: z.string() }),
});

const invitesStatement = defineStatement({
  name: "automod_own_invites",
  text: "SELECT code FROM invites WHERE server_id = $1 AND code = ANY($2::text[])",
  row: z.object({ code: z.string() }),
});

const isEnd = ({ actions }: CompiledRule) => actions.some(({ type }) => type === "block" || type === "delete");

/** Applies the rules that servers have made (docs/protocol/automod.md#24.8). */
export function createJudgeRules(sources: {
  database: Database;
  ruleSets: RuleSets;
  search: PatternSearch;
  repetition: Repetition;
}) {
  const { database, ruleSets, search, repetition } = sources;

  /** Data that several rules of one judgement need, each part computed once, when the first rule asks for it. */
  const read = (judged: Judged, set: RuleSet) => {
    const text = judged.texts.join("\n");
    const windows = set.rules.flatMap(({ trigger }) => (trigger.type === "repetition" ? [trigger.window_secs] : []));
    return {
      text,
      readings: once((): Folded[] => foldText(text)),
      hosts: once(() => findHosts(text)),
      patterns: once(async () => new Set(await search(judged.serverId, set.patterns, text))),
      roles: once(async () => {
        const rows = await database.query(rolesStatement, [judged.serverId, judged.userId]);
        return new Set(rows.map(({ id }) => id));
      }),
      foreignInvite: once(async (): Promise<FoundInvite | null> => {
        const invites = findInvites(text);
        if (invites.length === 0) return null;
        const rows = await database.query(invitesStatement, [judged.serverId, invites.map(({ code }) => code)]);
        const own = new Set(rows.map(({ code }) => code));
        return invites.find(({ code }) => !own.has(code)) ?? null;
      }),
      repetitions: once(async () => {
        if (judged.repeated === null) return null;
        const counted = await repetition.count(
          judged.repeated,
          windows.map((seconds) => seconds * 1_000),
        );
        if (counted === null) return null;
        return { key: counted.key, byWindow: new Map(windows.map((window, at) => [window, counted.counts[at] ?? 0])) };
      }),
    };
  };

  /** @returns null where the rule does not match */
  const match = async (
    rule: CompiledRule,
    judged: Judged,
    reading: ReturnType<typeof read>,
  ): Promise<{ term: string | null } | null> => {
    const { trigger } = rule;
    const { facts } = judged;
    switch (trigger.type) {
      case "words":
      case "name":
        return found(rule.words?.find(reading.readings()) ?? null);
      case "regex": {
        const matching = await reading.patterns();
        return found(trigger.patterns.find((_, at) => matching.has(rule.firstPattern + at)) ?? null);
      }
      case "links":
        return found(findForbiddenHost(reading.hosts(), { domains: rule.domains, mode: trigger.mode }));
      case "invites":
        return found((await reading.foreignInvite())?.link ?? null);
      case "mentions":
        return facts.mentions > trigger.max ? { term: null } : null;
      case "repetition": {
        const count = (await reading.repetitions())?.byWindow.get(trigger.window_secs) ?? 0;
        return count > trigger.max ? { term: null } : null;
      }
      case "attachments":
        return findForbiddenFile({ added: facts.mime_types, total: facts.files }, trigger);
      case "caps":
        return isShouted(reading.text, trigger) ? { term: null } : null;
    }
  };

  return async (judged: Judged): Promise<RuleVerdict> => {
    const { serverId, channelId, facts, writtenAtMs } = judged;
    const types = new Set<AutomodTriggerType>(facts.types);
    const set = await ruleSets(serverId, facts.version);
    const reading = read(judged, set);
    const matches: RuleMatch[] = [];
    let counts = false;
    for (const rule of set.rules) {
      if (!types.has(rule.trigger.type)) continue;
      if (channelId !== null && rule.exemptChannelIds.includes(channelId)) continue;
      // A rule that was made after the text was written would not have stopped it.
      if (writtenAtMs !== null && rule.updatedAtMs > writtenAtMs) continue;
      counts ||= rule.trigger.type === "repetition";
      const matched = await match(rule, judged, reading);
      if (matched === null) continue;
      if (rule.exemptRoleIds.length > 0) {
        const roles = await reading.roles();
        if (rule.exemptRoleIds.some((id) => roles.has(id))) continue;
      }
      matches.push({ rule, ...matched });
      if (isEnd(rule) && judged.isTest !== true) break;
    }
    return { matches, repetitionKey: counts ? ((await reading.repetitions())?.key ?? null) : null };
  };
}

const found = (term: string | null) => (term === null ? null : { term });

function once<T>(work: () => T): () => T {
  let result: { value: T } | undefined;
  return () => {
    result ??= { value: work() };
    return result.value;
  };
}
