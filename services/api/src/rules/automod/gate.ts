import { randomUUID } from "node:crypto";
import {
  type AutomodJudgedBy,
  type AutomodRuleType,
  type AutomodServerRules,
  type AutomodSubmission,
  type AutomodTriggerType,
  countMentions,
  editTriggerTypes,
  errorTexts,
  forbidden,
  type PendingJudgement,
  type RequestBody,
  type RequestName,
  ServiceError,
} from "@parley/contracts";
import { type Messaging, notify, request } from "@parley/messaging";
import { type AutomodRulesSettings, type AutomodSettings, settingsWhileOff } from "@parley/moderation";
import type { Logger } from "@parley/service-runtime";
import { type Evidence, noEvidence } from "./evidence.js";

/** Fields of the request that the rules read. */
type Text = Pick<AutomodSubmission, "server_id" | "channel_id" | "user_id" | "content" | "texts">;

/** The settings by which a server judges its messages; both null cost nothing. */
export interface RuleSettings {
  automod: AutomodSettings;
  automodRules: AutomodRulesSettings;
}

/** The facts that a server's own rules read beside the texts. */
export interface MessageFacts {
  mentionUserIds: readonly string[];
  mentionEveryone: boolean;
  mentionRoleIds: readonly string[];
  mentionHere: boolean;
  /** Types of the files that are added. */
  mimeTypes: readonly string[];
  /** How many files the message has with them. */
  files: number;
}

/** Result of the check of a message that may be stored. */
export interface CheckedMessage {
  /** Rules that have not judged it yet, for a header of its event. */
  pending: PendingJudgement | undefined;
  /** Names automod's reservation, which ends when the message is stored or given up; null when there is none. */
  ticket: string | null;
  /** Body of the request about the stored message; null when no rule is left, or when the check had no answer. */
  after: Omit<RequestBody<"automodStored">, "message_id"> | null;
}

/**
 * The api's client of auto-moderation (docs/protocol/automod.md#11.2): a message passes when there is no answer in time.
 * Each message goes through `check`, and then through either `afterStored` or `release`.
 */
export interface AutomodGate {
  /**
   * Asks the rules that come before storing.
   *
   * @throws ServiceError 403 with the text of the rule
   */
  check(guards: RuleSettings, evidence: Evidence, text: Text, facts: MessageFacts): Promise<CheckedMessage>;
  /** Lets the rules that come after judge the stored message. @returns whether one of them deleted it */
  afterStored(checked: CheckedMessage, messageId: string): Promise<boolean>;
  /** Gives the reservation of a message back that was not stored. */
  release(checked: CheckedMessage): void;
  /**
   * Asks the word filter and those rules of the server that judge edits.
   *
   * @throws ServiceError 403 with the text of the rule
   */
  checkEdit(guards: RuleSettings, text: Text, facts: MessageFacts): Promise<CheckedMessage>;
  /**
   * Asks the rules of the server about files that are added to a message.
   *
   * @throws ServiceError 403 with the text of the rule
   */
  checkFiles(automodRules: AutomodRulesSettings, text: Text, facts: MessageFacts): Promise<CheckedMessage>;
}

const rejections: Record<AutomodRuleType, string> = {
  word_filter: errorTexts.word_filtered,
  duplicate: errorTexts.duplicate_message,
  spam: "Message blocked as spam",
};

/** @param options.verdictTimeoutMs a message waits this long for each verdict; then it is accepted and judged late */
export function createAutomodGate(options: {
  messaging: Messaging;
  verdictTimeoutMs: number;
  logger: Logger;
}): AutomodGate {
  const { messaging, verdictTimeoutMs, logger } = options;

  const ask = async <N extends RequestName>(name: N, body: RequestBody<N>) => {
    try {
      return await request(messaging, name, body, verdictTimeoutMs);
    } catch (err) {
      // An answer that cannot be read is none: messages pass, and are judged late.
      logger.warn({ err, request: name }, "auto-moderation could not be asked");
      return null;
    }
  };

  /** @returns the verdict, null when there was none in time */
  const requestVerdict = async (submission: AutomodSubmission, settings: Limits, evidence: Evidence | null) => {
    const verdict = await ask("automodCheck", {
      ...submission,
      evidence: evidence ?? noEvidence,
      evidence_age_ms: evidence === null ? 0 : performance.now() - evidence.readAt,
      spam_max_messages: settings.spam_max_messages,
      answer_within_ms: verdictTimeoutMs,
    });
    if (verdict !== null && verdict.blocked_by !== null) throw forbidden(rejections[verdict.blocked_by]);
    if (verdict?.refusal) {
      // The server's own words.
      throw new ServiceError("forbidden", verdict.refusal, { code: "message_blocked_by_rule" });
    }
    return verdict;
  };

  const endReservation = (ticket: string | null, messageId: string | null) => {
    if (ticket !== null) notify(messaging, "automodSettled", { ticket, message_id: messageId });
  };

  /** @param rules those that apply; without any, the gate asks no automod */
  const checkBy = async (
    rules: AutomodJudgedBy[],
    settings: AutomodSettings,
    evidence: Evidence | null,
    text: Text & Pick<AutomodSubmission, "server_rules">,
  ): Promise<CheckedMessage> => {
    if (rules.length === 0) return { pending: undefined, ticket: null, after: null };
    const { words_version, spam_max_messages, spam_window_secs } = settings ?? settingsWhileOff;
    const submission = { ...text, judgement_id: randomUUID(), rules, words_version };
    const verdict = await requestVerdict(submission, { spam_max_messages }, evidence);
    const ticket = verdict?.ticket ?? null;
    const left = verdict?.rules_after ?? rules;
    if (left.length === 0) return { pending: undefined, ticket, after: null };
    return {
      pending: { judgementId: submission.judgement_id, rules: left },
      ticket,
      after: verdict === null ? null : { ...submission, rules: left, ticket, spam_max_messages, spam_window_secs },
    };
  };

  return {
    check(guards, evidence, text, facts) {
      const server_rules = serverRulesOf(guards.automodRules, facts, judgesMessages);
      const rules: AutomodJudgedBy[] = [...(guards.automod?.rules ?? [])];
      return checkBy(server_rules === null ? rules : [...rules, "server_rules"], guards.automod, evidence, {
        ...text,
        server_rules,
      });
    },

    checkEdit(guards, text, facts) {
      const server_rules = serverRulesOf(guards.automodRules, facts, (type) => editTriggerTypes.includes(type));
      const rules: AutomodJudgedBy[] = guards.automod?.rules.includes("word_filter") ? ["word_filter"] : [];
      return checkBy(server_rules === null ? rules : [...rules, "server_rules"], guards.automod, null, {
        ...text,
        server_rules,
      });
    },

    checkFiles(automodRules, text, facts) {
      const server_rules = serverRulesOf(automodRules, facts, (type) => type === "attachments");
      return checkBy(server_rules === null ? [] : ["server_rules"], null, null, { ...text, server_rules });
    },

    async afterStored({ ticket, after }, messageId) {
      if (after === null) {
        endReservation(ticket, messageId);
        return false;
      }
      const outcome = await ask("automodStored", { ...after, message_id: messageId });
      return outcome?.deleted ?? false;
    },

    release({ ticket }) {
      endReservation(ticket, null);
    },
  };
}

type Limits = Pick<NonNullable<AutomodSettings>, "spam_max_messages">;

/** Names are judged elsewhere. */
const judgesMessages = (type: AutomodTriggerType, { mimeTypes }: MessageFacts) =>
  type !== "name" && (type !== "attachments" || mimeTypes.length > 0);

/** @returns null where no rule of the server judges this */
function serverRulesOf(
  settings: AutomodRulesSettings,
  facts: MessageFacts,
  applies: (type: AutomodTriggerType, facts: MessageFacts) => boolean,
): AutomodServerRules | null {
  const types = settings?.types.filter((type) => applies(type, facts)) ?? [];
  if (settings === null || types.length === 0) return null;
  const mentions = countMentions(
    facts.mentionUserIds,
    facts.mentionEveryone,
    facts.mentionHere,
    facts.mentionRoleIds.length,
  );
  return { version: settings.version, types, mentions, mime_types: [...facts.mimeTypes], files: facts.files };
}
