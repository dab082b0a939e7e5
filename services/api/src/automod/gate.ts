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
import { verdictTimeoutMs } from "./limits.js";
import type { AutomodSettings } from "./settings.js";

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

/** Auto-moderation as the api sees it (contract.md 11.2): it asks, and lets pass what nobody answers for in time. */
export interface AutomodGate {
  /**
   * Stores a message, if the rules that come before allow it, and lets the rules that come after judge it.
   *
   * @param store gets what its event has to say about rules that have not judged the message yet
   * @returns the message, `deleted` when a rule deleted it
   * @throws ServiceError 403 with the text of the rule
   */
  guard(message: Guarded, store: (pending: PendingJudgement | undefined) => Promise<Message>): Promise<Message>;
  /** The same for an edit, which passes the word filter only. */
  guardEdit<T>(edit: Guarded, store: (pending: PendingJudgement | undefined) => Promise<T>): Promise<T>;
}

const refusals: Record<AutomodRuleType, string> = {
  word_filter: "Message blocked by word filter",
  duplicate: "Duplicate message blocked",
  spam: "Message blocked as spam",
};

export function createAutomodGate({ messaging, logger }: { messaging: Messaging; logger: Logger }): AutomodGate {
  const ask = async <N extends RequestName>(name: N, body: RequestBody<N>) => {
    try {
      return await request(messaging, name, body, verdictTimeoutMs);
    } catch (err) {
      // An answer that cannot be read is none: messages pass, and are judged late.
      logger.warn({ err, request: name }, "auto-moderation could not be asked");
      return null;
    }
  };

  const check = async (guarded: Guarded, judgementId: string, rules: AutomodRuleType[]) => {
    if (rules.length === 0) return { silent: false, reserved: false };
    const verdict = await ask("automodCheck", { ...describe(guarded, judgementId), rules });
    if (verdict !== null && verdict.blocked_by !== null) throw forbidden(refusals[verdict.blocked_by]);
    return { silent: verdict === null, reserved: verdict?.reserved ?? false };
  };

  return {
    async guard(guarded, store) {
      const { settings, channelId, userId, content } = guarded;
      if (settings === null || settings.rules.length === 0) return store(undefined);
      const judgementId = randomUUID();
      const { silent, reserved } = await check(
        guarded,
        judgementId,
        settings.rules.filter((rule) => rule !== "spam"),
      );
      const rules = silent ? settings.rules : settings.rules.filter((rule) => rule === "spam");
      const settle = () => {
        const settled = { judgement_id: judgementId, channel_id: channelId, user_id: userId, content };
        if (reserved) notify(messaging, "automodSettled", settled);
      };
      let message: Message;
      try {
        message = await store(rules.length === 0 ? undefined : { judgementId, rules });
      } catch (error) {
        settle();
        throw error;
      }
      // Whoever did not answer a moment ago is not waited for again.
      if (silent || rules.length === 0) {
        settle();
        return message;
      }
      const { spam_max_messages, spam_window_secs } = settings;
      const outcome = await ask("automodStored", {
        ...describe(guarded, judgementId),
        rules,
        message_id: message.id,
        reserved,
        spam_max_messages,
        spam_window_secs,
      });
      return outcome?.deleted ? { ...message, deleted: true } : message;
    },

    async guardEdit(guarded, store) {
      const rules = guarded.settings?.rules.filter((rule) => rule === "word_filter") ?? [];
      const judgementId = randomUUID();
      const { silent } = await check(guarded, judgementId, rules);
      return store(silent ? { judgementId, rules } : undefined);
    },
  };
}

function describe(guarded: Guarded, judgementId: string) {
  const { settings, serverId, channelId, userId, content, filteredTexts } = guarded;
  return {
    judgement_id: judgementId,
    server_id: serverId,
    channel_id: channelId,
    user_id: userId,
    content,
    texts: [...(filteredTexts ?? [content])],
    words_version: settings?.words_version ?? 0,
  };
}
