import { setTimeout as pause } from "node:timers/promises";
import { crc32 } from "node:zlib";
import type { AutomodCheck, AutomodRuleType, AutomodStored, AutomodSubmission } from "@parley/contracts";
import type { InFlight, MessageInFlight, Reservation } from "./in-flight.js";
import {
  approvedWaitMs,
  evidenceAgeMaxMs,
  reservationPollMs,
  storeSkewMs,
  storingMaxMs,
  textWaitMs,
} from "./limits.js";
import type { RecentMessages } from "./recent-messages.js";
import { isDuplicate, isExemptFromDuplicates } from "./rules/duplicate.js";
import { isSpam } from "./rules/spam.js";
import { type createSequence, sentAtMs, sequenceByTime } from "./sequence.js";
import type { WordLists } from "./word-lists.js";

/** A rule that matched. */
export interface Match {
  rule: AutomodRuleType;
  /** The filtered word; null for other rules. */
  term: string | null;
  /** The text that triggered the rule. */
  text: string;
}

/** Verdict before a message is stored. */
export interface EarlyVerdict {
  match: Match | null;
  /** Rules that can only judge it once it is stored. */
  rulesAfter: AutomodRuleType[];
  /** To be given to `release` when the message is stored or given up; null when nothing is reserved. */
  ticket: string | null;
}

const defaultWaits = { textMs: textWaitMs, approvedMs: approvedWaitMs };

/** Applies the rules to messages; `Enforce` takes the resulting actions. */
export function createJudge(sources: {
  words: WordLists;
  recent: RecentMessages;
  inFlight: InFlight;
  sequence: ReturnType<typeof createSequence>;
  /** How long a message waits for others, in milliseconds. */
  waits?: typeof defaultWaits;
}) {
  const { words, recent, inFlight, sequence, waits = defaultWaits } = sources;

  const findWord = async (submission: AutomodSubmission, writtenAtMs: number): Promise<Match | null> => {
    const texts = submission.texts.map((text) => text.toLowerCase());
    const entry = await words.find({ serverId: submission.server_id, version: submission.words_version, texts });
    // A word that was added after the text was written would not have stopped it.
    if (entry === null || sentAtMs(entry.id) > writtenAtMs) return null;
    const textAt = texts.findIndex((text) => text.includes(entry.word));
    // The first text is the content's own, which clients see in another form when it is a poll.
    const text = textAt === 0 ? submission.content : (submission.texts[textAt] ?? submission.content);
    return { rule: "word_filter", term: entry.word, text };
  };

  const repeats = async (submission: AutomodSubmission, messageId: string | null): Promise<boolean> => {
    const { user_id, channel_id, content } = submission;
    const question = { userId: user_id, channelId: channel_id, content, messageId };
    const { identicalAtMs, sentAtMs: now } = await recent.findIdentical(question);
    return isDuplicate(identicalAtMs, now);
  };

  /**
   * Ends the reservation of a checked message that was stored or given up. Never rejects: a reservation also expires.
   *
   * @param messageId null when the message was given up
   */
  const release = async (ticket: string, messageId: string | null) => {
    await inFlight.release({ ticket, messageId }).catch(() => undefined);
  };

  /** Reserves a message; waits while another message with the same text is being stored. */
  const reserve = async (check: AutomodCheck, message: MessageInFlight) => {
    const deadline = performance.now() + waits.textMs;
    for (;;) {
      // Without Redis, duplicates are found in the database only, so two concurrent identical messages may both pass.
      const reservation = await inFlight.reserve(message).catch(() => unreserved);
      if (reservation.text !== "locked") return { reservation, duplicate: false };
      if (performance.now() >= deadline) return { reservation, duplicate: true };
      await pause(reservationPollMs);
      if (await repeats(check, null)) return { reservation, duplicate: true };
    }
  };

  const untilApprovedAreStored = async (member: { serverId: string; userId: string }) => {
    const deadline = performance.now() + waits.approvedMs;
    const someAreInFlight = () => inFlight.hasApproved(member).catch(() => false);
    while ((await someAreInFlight()) && performance.now() < deadline) await pause(reservationPollMs);
  };

  const isOneTooMany = async (stored: AutomodStored): Promise<boolean> => {
    const { server_id: serverId, user_id: userId, message_id: messageId } = stored;
    const { spam_max_messages: messagesMax, spam_window_secs: windowSecs } = stored;
    const windowMs = windowSecs * 1_000;
    await untilApprovedAreStored({ serverId, userId });
    // A judgement of an earlier message that is made after this one looks `storeSkewMs` ahead. This one looks back as
    // far, so that a message which enters the order late is not counted with messages that were put there without it.
    const ids = await recent.listWindow({ serverId, userId, messageId, windowMs: windowMs + storeSkewMs });
    const inOrder = await sequence({ serverId, userId }, ids).catch(() => sequenceByTime(ids));
    const [judged] = inOrder;
    if (judged === undefined) return false;
    return isSpam(judged, inOrder, { messagesMax, windowMs, skewMs: storeSkewMs });
  };

  return {
    /**
     * Applies the rules that come before storing. A message that is certainly no spam is approved, and not judged again
     * after storing. Until {@link release}, identical messages, and messages of the author that may be spam, wait for it.
     */
    async beforeStoring(check: AutomodCheck): Promise<EarlyVerdict> {
      const nothing = { match: null, rulesAfter: [], ticket: null };
      const word = check.rules.includes("word_filter") ? await findWord(check, Number.POSITIVE_INFINITY) : null;
      if (word !== null) return { ...nothing, match: word };
      const message = toMessageInFlight(check);
      if (message.text === null && message.othersMax === null) return nothing;
      const { reservation, duplicate } = await reserve(check, message);
      const { text, approved, ticket } = reservation;
      const looksRepeated = message.text !== null && (text === "used" || mayRepeat(check));
      if (duplicate || (looksRepeated && (await repeats(check, null)))) {
        if (ticket !== null) await release(ticket, null);
        return { ...nothing, match: { rule: "duplicate", term: null, text: check.content } };
      }
      return { match: null, rulesAfter: message.othersMax === null || approved ? [] : ["spam"], ticket };
    },

    /**
     * Applies rules to a stored message. Repeated calls, in any process, return the same verdict.
     *
     * @param writtenAtMs when the text was sent, or edited
     */
    async afterStoring(stored: AutomodStored, writtenAtMs: number): Promise<Match | null> {
      const { rules, content, message_id: messageId } = stored;
      const match = rules.includes("word_filter") ? await findWord(stored, writtenAtMs) : null;
      if (match !== null) return match;
      if (rules.includes("duplicate") && !isExemptFromDuplicates(content) && (await repeats(stored, messageId))) {
        return { rule: "duplicate", term: null, text: content };
      }
      if (rules.includes("spam") && (await isOneTooMany(stored))) return { rule: "spam", term: null, text: content };
      return null;
    },

    release,
  };
}

/** Used without Redis: the text is looked up in the database, and the message is not approved. */
const unreserved: Reservation = { text: "used", approved: false, ticket: null };

function toMessageInFlight(check: AutomodCheck): MessageInFlight {
  const { judgement_id, server_id, user_id, channel_id, content, rules, answer_within_ms } = check;
  return {
    judgementId: judgement_id,
    serverId: server_id,
    userId: user_id,
    channelId: channel_id,
    text: rules.includes("duplicate") && !isExemptFromDuplicates(content) ? content : null,
    othersMax: rules.includes("spam") ? check.spam_max_messages - 1 - knownMessages(check) : null,
    rememberedMs: evidenceAgeMaxMs + answer_within_ms + storingMaxMs,
  };
}

const isRecent = (check: AutomodCheck) => check.evidence_age_ms <= evidenceAgeMaxMs;

/** Messages of the author that count towards spam; too many when that is unknown. */
function knownMessages(check: AutomodCheck): number {
  const { recent_messages } = check.evidence;
  return recent_messages !== null && isRecent(check) ? recent_messages : check.spam_max_messages;
}

/** Whether the evidence leaves it open that the text was sent before. */
function mayRepeat(check: AutomodCheck): boolean {
  const { recent_texts } = check.evidence;
  return recent_texts === null || !isRecent(check) || recent_texts.includes(crc32(check.content));
}
