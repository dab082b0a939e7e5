import {
  type AutomodCheck,
  type AutomodRuleMatches,
  type AutomodRuleTest,
  type AutomodStored,
  type AutomodSubmission,
  type AutomodTriggerType,
  errorTexts,
} from "@parley/contracts";
import { type Logger, within } from "@parley/service-runtime";
import { actionWaitShare } from "../limits.js";
import type { AutomodMetrics } from "../metrics.js";
import type { EnforceRules, RuleViolation } from "./enforce-rules.js";
import type { createJudgeRules, Judged, RuleMatch } from "./judge-rules.js";
import type { Repetition } from "./repetition.js";

/** The judgement of the rules before a message is stored. */
export interface RulesBefore {
  /** Text of the 403; null when the message may be stored. */
  refusal: string | null;
  /** Whether actions are left for when it is stored. */
  isLeft: boolean;
  /** Counted for repetition until it is given up; null when it is not. */
  repetitionKey: string | null;
}

/** Triggers that a text alone may match. */
const tested: readonly AutomodTriggerType[] = ["words", "regex", "links", "invites", "mentions", "caps"];

/** The rules that servers have made, at the moments at which messages and names are judged. */
export function createServerRules(parts: {
  judge: ReturnType<typeof createJudgeRules>;
  enforce: EnforceRules;
  repetition: Repetition;
  metrics: AutomodMetrics;
  logger: Pick<Logger, "error">;
}) {
  const { judge, enforce, repetition, metrics, logger } = parts;

  const enforceAndCount = async (offence: RuleViolation, matches: readonly RuleMatch[]) => {
    const { isDeleted, taken } = await enforce(offence, matches);
    for (const action of taken) metrics.acted(action);
    return isDeleted;
  };

  return {
    /** Judges a message before it is stored; takes the actions when it refuses the message. */
    async before(check: AutomodCheck): Promise<RulesBefore> {
      const judged = judgedOf(check, null, null);
      if (judged === null) return { refusal: null, isLeft: false, repetitionKey: null };
      const { matches, repetitionKey } = await judge(judged);
      const refusal = refusalOf(matches.at(-1));
      metrics.judgedByRules("before", matches);
      if (refusal === null) return { refusal, isLeft: matches.length > 0, repetitionKey };
      if (repetitionKey !== null) await repetition.giveUp(repetitionKey, check.judgement_id);
      const acting = enforceAndCount(offenceOf(check, null), matches).catch((err: unknown) => {
        // A failure to act or to log never lets the message through (docs/protocol/automod.md#11.2, rule 7).
        logger.error({ err, server_id: check.server_id }, "the action of a rule failed");
      });
      await within(acting, check.answer_within_ms * actionWaitShare, () => undefined);
      return { refusal, isLeft: false, repetitionKey: null };
    },

    /**
     * Judges a stored message and takes the actions.
     *
     * @param writtenAtMs where rules that are newer must not judge it
     * @returns whether the message was deleted
     */
    async after(stored: AutomodStored, writtenAtMs: number | null): Promise<boolean> {
      const judged = judgedOf(stored, stored.message_id, writtenAtMs);
      if (judged === null) return false;
      const { matches } = await judge(judged);
      metrics.judgedByRules(writtenAtMs === null ? "after" : "late", matches);
      return matches.length > 0 && (await enforceAndCount(offenceOf(stored, stored.message_id), matches));
    },

    /** Judges the names of a member who joined or changed them. */
    async names(member: {
      eventId: string;
      serverId: string;
      userId: string;
      names: readonly string[];
      version: number;
    }): Promise<void> {
      const { eventId, serverId, userId, names, version } = member;
      const facts = { version, types: ["name" as const], mentions: 0, mime_types: [], files: 0 };
      const judged = { serverId, userId, channelId: null, texts: names, facts, repeated: null, writtenAtMs: null };
      const { matches } = await judge(judged);
      if (matches.length === 0) return;
      const offence = { judgementId: eventId, serverId, userId, channelId: null, messageId: null, files: 0 };
      await enforceAndCount({ ...offence, text: names.join(" / ") }, matches);
    },

    /** Answers `automod.rule-test`: every rule that a text would match. */
    async test({ server_id, version, content, mentions }: AutomodRuleTest): Promise<AutomodRuleMatches> {
      const matches: AutomodRuleMatches["matches"] = [];
      const facts = { version, types: [...tested], mentions, mime_types: [], files: 0 };
      const nobody = { serverId: server_id, userId: server_id, channelId: null, repeated: null, writtenAtMs: null };
      const verdict = await judge({ ...nobody, texts: [content], facts, isTest: true });
      for (const { rule, term } of verdict.matches) matches.push({ rule_id: rule.id, term });
      return { matches };
    },

    giveUp: repetition.giveUp,
  };
}

/** Text of the 403 when the last rule that matched blocks. */
function refusalOf(last: RuleMatch | undefined): string | null {
  const block = last?.rule.actions.find(({ type }) => type === "block");
  if (block?.type !== "block") return null;
  return block.message ?? errorTexts.message_blocked_by_rule;
}

function judgedOf(submission: AutomodSubmission, messageId: string | null, writtenAtMs: number | null): Judged | null {
  const { server_id: serverId, user_id: userId, channel_id: channelId, server_rules: facts } = submission;
  const { judgement_id: judgementId, content, texts } = submission;
  if (!facts) return null;
  const repeated = { serverId, userId, judgementId, content, messageId, sentAtMs: writtenAtMs };
  return { serverId, userId, channelId, texts, facts, repeated, writtenAtMs };
}

function offenceOf(submission: AutomodSubmission, messageId: string | null): RuleViolation {
  const { judgement_id, server_id, channel_id, user_id, content, texts, server_rules } = submission;
  return {
    judgementId: judgement_id,
    serverId: server_id,
    channelId: channel_id,
    userId: user_id,
    // A message of an app may say all that it says in its embeds.
    text: content === "" ? texts.join("\n").trim() : content,
    messageId,
    files: server_rules?.files ?? 0,
  };
}
