import type { AutomodCheck, AutomodRuleType, AutomodSettled, AutomodStored } from "@parley/contracts";
import { type Arrivals, arrivalsByTime } from "./arrivals.js";
import { storeSkewMs } from "./limits.js";
import type { RecentMessages } from "./recent-messages.js";
import type { Reservations, Sending } from "./reservations.js";
import { isDuplicate, isExemptFromDuplicates } from "./rules/duplicate.js";
import { isSpam } from "./rules/spam.js";
import { sentAtMs } from "./sent-at.js";
import type { WordLists } from "./word-lists.js";

/** A rule that matched. */
export interface Match {
  rule: AutomodRuleType;
  /** The filtered word; null for other rules. */
  term: string | null;
  /** The text that triggered the rule. */
  text: string;
}

/** What the rules say; carrying it out is another matter. */
export interface Judge {
  /** Applies the rules that come before storing. With `reserved`, identical messages wait until {@link Judge.settle}. */
  beforeStoring(check: AutomodCheck): Promise<{ match: Match | null; reserved: boolean }>;
  /**
   * Applies any rules to a message that is stored; the verdict is the same however often and by whom it is asked for.
   *
   * @param writtenAtMs when the text was sent, or edited
   */
  afterStoring(stored: AutomodStored, writtenAtMs: number): Promise<Match | null>;
  /** What was reserved is stored by now, or never will be. Never rejects: reservations end by themselves, too. */
  settle(settled: AutomodSettled): Promise<void>;
}

export function createJudge(sources: {
  words: WordLists;
  recent: RecentMessages;
  reservations: Reservations;
  arrivals: Arrivals;
}): Judge {
  const { words, recent, reservations, arrivals } = sources;

  const findWord = async (submission: AutomodCheck, writtenAtMs: number): Promise<Match | null> => {
    const list = await words.get(submission.server_id, submission.words_version);
    const matches = submission.texts.map((text) => list.matcher.find(text.toLowerCase()));
    const first = Math.min(...matches.filter((place) => place >= 0));
    const entry = list.words[first];
    // A word that was added after the text was written would not have stopped it.
    if (entry === undefined || sentAtMs(entry.id) > writtenAtMs) return null;
    const textAt = matches.indexOf(first);
    // The first text is the content's own, which clients see in another form when it is a poll.
    const text = textAt === 0 ? submission.content : (submission.texts[textAt] ?? submission.content);
    return { rule: "word_filter", term: entry.word, text };
  };

  const repeats = async (submission: AutomodCheck, messageId: string | null): Promise<boolean> => {
    const { user_id, channel_id, content } = submission;
    const question = { userId: user_id, channelId: channel_id, content, messageId };
    const { identicalAtMs, sentAtMs: now } = await recent.findIdentical(question);
    return isDuplicate(identicalAtMs, now);
  };

  const checkDuplicate = async (check: AutomodCheck): Promise<{ duplicate: boolean; reserved: boolean }> => {
    const sending = toSending(check);
    const repeated = () => repeats(check, null);
    // Without Redis two identical messages at the same moment may both pass; judging goes on with what the database knows.
    const taken = await reservations.take(sending, repeated).catch(() => "unavailable" as const);
    if (taken === "decided" || taken === "held") return { duplicate: true, reserved: false };
    const duplicate = await repeated();
    if (duplicate && taken === "taken") await reservations.release(sending).catch(() => undefined);
    return { duplicate, reserved: taken === "taken" && !duplicate };
  };

  const isOneTooMany = async (stored: AutomodStored): Promise<boolean> => {
    const { server_id: serverId, user_id: userId, message_id: messageId } = stored;
    const { spam_max_messages: messagesMax, spam_window_secs: windowSecs } = stored;
    const windowMs = windowSecs * 1_000;
    // As far back as a judgement of an earlier message, made after this one, may look forward: then whoever comes late
    // into the order is not counted together with what this judgement has put there.
    const ids = await recent.listWindow({ serverId, userId, messageId, windowMs: windowMs + storeSkewMs });
    const inOrder = await arrivals.arrive({ serverId, userId }, ids).catch(() => arrivalsByTime(ids));
    const [judged] = inOrder;
    if (judged === undefined) return false;
    return isSpam(judged, inOrder, { messagesMax, windowMs, skewMs: storeSkewMs });
  };

  return {
    async beforeStoring(check) {
      const match = check.rules.includes("word_filter") ? await findWord(check, Number.POSITIVE_INFINITY) : null;
      if (match !== null) return { match, reserved: false };
      if (!check.rules.includes("duplicate") || isExemptFromDuplicates(check.content)) {
        return { match: null, reserved: false };
      }
      const { duplicate, reserved } = await checkDuplicate(check);
      return { match: duplicate ? { rule: "duplicate", term: null, text: check.content } : null, reserved };
    },

    async afterStoring(stored, writtenAtMs) {
      const { rules, content, message_id: messageId } = stored;
      const match = rules.includes("word_filter") ? await findWord(stored, writtenAtMs) : null;
      if (match !== null) return match;
      if (rules.includes("duplicate") && !isExemptFromDuplicates(content) && (await repeats(stored, messageId))) {
        return { rule: "duplicate", term: null, text: content };
      }
      if (rules.includes("spam") && (await isOneTooMany(stored))) return { rule: "spam", term: null, text: content };
      return null;
    },

    settle: (settled) => reservations.release(toSending(settled)).catch(() => undefined),
  };
}

function toSending({ judgement_id, user_id, channel_id, content }: AutomodSettled): Sending {
  return { judgementId: judgement_id, userId: user_id, channelId: channel_id, content };
}
