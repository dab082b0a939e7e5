import { randomUUID } from "node:crypto";
import {
  type AutomodRuleType,
  type AutomodSubmission,
  errorTexts,
  forbidden,
  type PendingJudgement,
  type RequestBody,
  type RequestName,
} from "@parley/contracts";
import { type Messaging, notify, request } from "@parley/messaging";
import type { AutomodSettings } from "@parley/moderation";
import type { Logger } from "@parley/service-runtime";
import { type Evidence, noEvidence } from "./evidence.js";

/** Fields of the request that the rules read. */
type Text = Pick<AutomodSubmission, "server_id" | "channel_id" | "user_id" | "content" | "texts">;

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
 * The api's client of auto-moderation (docs/interface.md#11.2): a message passes when there is no answer in time.
 * Each message goes through `check`, and then through either `afterStored` or `release`.
 */
export interface AutomodGate {
  /**
   * Asks the rules that come before storing.
   *
   * @throws ServiceError 403 with the text of the rule
   */
  check(settings: AutomodSettings, evidence: Evidence, text: Text): Promise<CheckedMessage>;
  /** Lets the rules that come after judge the stored message. @returns whether one of them deleted it */
  afterStored(checked: CheckedMessage, messageId: string): Promise<boolean>;
  /** Gives the reservation of a message back that was not stored. */
  release(checked: CheckedMessage): void;
  /**
   * Asks the word filter, the only rule for an edit.
   *
   * @returns what remains to be judged, when there was no answer
   * @throws ServiceError 403 with the text of the rule
   */
  checkEdit(settings: AutomodSettings, text: Text): Promise<PendingJudgement | undefined>;
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
  const requestVerdict = async (submission: AutomodSubmission, settings: Settings, evidence: Evidence | null) => {
    const verdict = await ask("automodCheck", {
      ...submission,
      evidence: evidence ?? noEvidence,
      evidence_age_ms: evidence === null ? 0 : performance.now() - evidence.readAt,
      spam_max_messages: settings.spam_max_messages,
      answer_within_ms: verdictTimeoutMs,
    });
    if (verdict !== null && verdict.blocked_by !== null) throw forbidden(rejections[verdict.blocked_by]);
    return verdict;
  };

  const endReservation = (ticket: string | null, messageId: string | null) => {
    if (ticket !== null) notify(messaging, "automodSettled", { ticket, message_id: messageId });
  };

  return {
    async check(settings, evidence, text) {
      if (settings === null || settings.rules.length === 0) return { pending: undefined, ticket: null, after: null };
      const submission = submissionOf(text, settings, settings.rules);
      const verdict = await requestVerdict(submission, settings, evidence);
      const ticket = verdict?.ticket ?? null;
      const rules = verdict?.rules_after ?? settings.rules;
      if (rules.length === 0) return { pending: undefined, ticket, after: null };
      const { spam_max_messages, spam_window_secs } = settings;
      return {
        pending: { judgementId: submission.judgement_id, rules },
        ticket,
        after: verdict === null ? null : { ...submission, rules, ticket, spam_max_messages, spam_window_secs },
      };
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

    async checkEdit(settings, text) {
      if (settings === null || !settings.rules.includes("word_filter")) return undefined;
      const submission = submissionOf(text, settings, ["word_filter"]);
      const { judgement_id: judgementId, rules } = submission;
      const verdict = await requestVerdict(submission, settings, null);
      return verdict === null ? { judgementId, rules } : undefined;
    },
  };
}

type Settings = NonNullable<AutomodSettings>;

function submissionOf(text: Text, settings: Settings, rules: AutomodRuleType[]): AutomodSubmission {
  return { ...text, judgement_id: randomUUID(), rules, words_version: settings.words_version };
}
