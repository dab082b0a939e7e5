import { randomUUID } from "node:crypto";
import {
  type AutomodRuleType,
  forbidden,
  type Message,
  type PendingJudgement,
  type RequestBody,
  type RequestName,
} from "@parley/contracts";
import { type Messaging, notify, request } from "@parley/messaging";
import type { Logger } from "@parley/service-runtime";
import { type AutomodSettings, type Evidence, noEvidence } from "./settings.js";

/** What the rules look at. */
export interface Guarded {
  settings: AutomodSettings;
  serverId: string;
  channelId: string;
  userId: string;
  content: string;
  /** What the word filter reads, where that is not the content. */
  filteredTexts?: readonly string[] | undefined;
}

/**
 * Auto-moderation as the api sees it (docs/interface.md#11.2): it asks, and lets pass what nobody answers for in time.
 */
export interface AutomodGate {
  /**
   * Stores a message, if the rules that come before allow it, and lets the rules that come after judge it.
   *
   * @param store gets what its event has to say about rules that have not judged the message yet
   * @returns the message, `deleted` when a rule deleted it
   * @throws ServiceError 403 with the text of the rule
   */
  guard(
    message: Guarded & { evidence: Evidence },
    store: (pending: PendingJudgement | undefined) => Promise<Message>,
  ): Promise<Message>;
  /** The same for an edit, which passes the word filter only. */
  guardEdit<T>(edit: Guarded, store: (pending: PendingJudgement | undefined) => Promise<T>): Promise<T>;
}

const refusals: Record<AutomodRuleType, string> = {
  word_filter: "Message blocked by word filter",
  duplicate: "Duplicate message blocked",
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
  const check = async (submission: ReturnType<typeof describe>, settings: Settings, evidence: Evidence | null) => {
    const verdict = await ask("automodCheck", {
      ...submission,
      evidence: evidence ?? noEvidence,
      evidence_age_ms: evidence === null ? 0 : performance.now() - evidence.readAt,
      spam_max_messages: settings.spam_max_messages,
      answer_within_ms: verdictTimeoutMs,
    });
    if (verdict !== null && verdict.blocked_by !== null) throw forbidden(refusals[verdict.blocked_by]);
    return verdict;
  };

  return {
    async guard(guarded, store) {
      const { settings, evidence } = guarded;
      if (settings === null || settings.rules.length === 0) return store(undefined);
      const submission = describe(guarded, settings, settings.rules);
      const { judgement_id: judgementId } = submission;
      const verdict = await check(submission, settings, evidence);
      const ticket = verdict?.ticket ?? null;
      const settle = (messageId: string | null) => {
        if (ticket !== null) notify(messaging, "automodSettled", { ticket, message_id: messageId });
      };
      const rules = verdict?.rules_after ?? settings.rules;
      let message: Message;
      try {
        message = await store(rules.length === 0 ? undefined : { judgementId, rules });
      } catch (error) {
        settle(null);
        throw error;
      }
      // Whoever did not answer a moment ago is not waited for again.
      if (verdict === null || rules.length === 0) {
        settle(message.id);
        return message;
      }
      const { spam_max_messages, spam_window_secs } = settings;
      const stored = { message_id: message.id, ticket, spam_max_messages, spam_window_secs };
      const outcome = await ask("automodStored", { ...submission, rules, ...stored });
      return outcome?.deleted ? { ...message, deleted: true } : message;
    },

    async guardEdit(guarded, store) {
      const { settings } = guarded;
      if (settings === null || !settings.rules.includes("word_filter")) return store(undefined);
      const submission = describe(guarded, settings, ["word_filter"]);
      const { judgement_id: judgementId, rules } = submission;
      const verdict = await check(submission, settings, null);
      return store(verdict === null ? { judgementId, rules } : undefined);
    },
  };
}

type Settings = NonNullable<AutomodSettings>;

function describe(guarded: Guarded, settings: Settings, rules: AutomodRuleType[]) {
  const { serverId, channelId, userId, content, filteredTexts } = guarded;
  return {
    judgement_id: randomUUID(),
    server_id: serverId,
    channel_id: channelId,
    user_id: userId,
    content,
    texts: [...(filteredTexts ?? [content])],
    rules,
    words_version: settings.words_version,
  };
}
