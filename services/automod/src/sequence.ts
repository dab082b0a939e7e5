import { defineScript, type RedisConnection, readLua } from "@parley/redis";
import { createBatcher } from "@parley/service-runtime";
import { z } from "zod";
import {
  lookupBatchMax,
  messagesListedMax,
  messagesSequencedMax,
  scriptsInFlightMax,
  sequenceExpiryMs,
} from "./limits.js";
import type { SequencedMessage } from "./rules/spam.js";

/** Key of a member's sequence, a sorted set of message ids by number. `member` is `<server>:<user>`. */
export const sequenceKey = (member: string) => `automod:sequence:${member}`;

const sequenceScript = defineScript({
  name: "automod-sequence",
  keyCount: 0,
  lua: readLua(new URL("../lua/", import.meta.url), "sequence"),
  reply: (raw) => z.array(z.array(z.string())).parse(raw),
});

/**
 * Numbers a member's messages in the order in which they were stored, the same for all processes.
 *
 * The numbers decide which of several concurrent messages exceeds the spam limit. Times in the database do not suffice:
 * each judgement reads the database at another moment, so two judgements could each take the other's message for the
 * earlier one. A number is assigned once, atomically in Redis, to the message that any judgement lists first. Messages
 * that the database has and that are not judged yet come before the judged one. A repeated judgement finds the same
 * numbers, and has the same verdict.
 *
 * @returns a function that takes the ids of the user's latest messages in the database, oldest first, the judged one
 * last, and returns the judged message and those before it, the judged one first
 */
export function createSequence({ redis }: { redis: RedisConnection }) {
  const numbering = createBatcher<string, SequencedMessage[]>({
    inFlightMax: scriptsInFlightMax,
    batchMax: lookupBatchMax,
    async work(members) {
      const limits = [sequenceExpiryMs, messagesSequencedMax, messagesListedMax];
      return (await redis.run(sequenceScript, [], [...limits, ...members])).map(toSequence);
    },
  });
  return async (member: { serverId: string; userId: string }, messageIds: readonly string[]) => {
    // A message that is gone with its channel has no number.
    if (messageIds.length === 0) return [];
    return numbering(JSON.stringify([sequenceKey(`${member.serverId}:${member.userId}`), ...messageIds]));
  };
}

/** The order of the database, used while Redis is out of reach. */
export function sequenceByTime(messageIds: readonly string[]): SequencedMessage[] {
  return toSequence(messageIds.toReversed());
}

/** @param ids latest first */
function toSequence(ids: readonly string[]): SequencedMessage[] {
  return ids.map((id, index) => ({ number: ids.length - index, sentAtMs: sentAtMs(id) }));
}

/** When a row was made, in milliseconds of the database's clock: its id, a UUIDv7, begins with it. */
export function sentAtMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
