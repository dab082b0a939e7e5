import { createHash } from "node:crypto";
import { defineScript, type RedisConnection, readLua } from "@parley/redis";
import { createBatcher } from "@parley/service-runtime";
import { z } from "zod";
import { lookupBatchMax, scriptsInFlightMax, sequenceExpiryMs } from "./limits.js";
import { sequenceKey } from "./sequence.js";

const lua = new URL("../lua/", import.meta.url);

/** A message between its check and its row in the database. */
export interface MessageInFlight {
  judgementId: string;
  serverId: string;
  userId: string;
  channelId: string;
  /** Content that must not be sent twice; null when duplicates are allowed. */
  text: string | null;
  /** Most other messages of the author in flight with which this one is certainly no spam; null when spam is allowed. */
  othersMax: number | null;
  /** Milliseconds after which every check reads a database that has this message. */
  rememberedMs: number;
}

/** Result of comparing a message with the others that are in flight. */
export interface Reservation {
  /**
   * - `new`: the text was not sent recently
   * - `used`: it was sent recently, so the database must be read
   * - `locked`: another message with the text is being stored
   */
  text: "new" | "used" | "locked";
  /** Certainly no spam. Later messages are judged with this one counted. */
  approved: boolean;
  /** For {@link InFlight.release}; null when nothing is reserved. */
  ticket: string | null;
}

/*
 * Keys in Redis:
 *
 * - `automod:text:<channel>:<user>:<hash of the content>`: the judgement that has locked the text; empty once released
 * - `automod:in-flight:<server>:<user>`: sorted set of the latest judgements by time; those that were approved and are
 *   not released have a prefix
 *
 * They are passed as arguments, because one call handles the messages of many users. This needs one Redis, not Redis
 * Cluster.
 */
const textKey = (name: string) => `automod:text:${name}`;
const inFlightKey = (name: string) => `automod:in-flight:${name}`;
/** Placeholder in tickets and arguments for an absent value. */
const none = "-";

const reserveScript = defineScript({
  name: "automod-reserve",
  keyCount: 0,
  lua: readLua(lua, "reserve"),
  reply: (raw) => z.array(z.tuple([z.enum(["new", "used", "locked"]), z.number()])).parse(raw),
});

const releaseScript = defineScript({
  name: "automod-release",
  keyCount: 0,
  lua: readLua(lua, "release"),
  reply: () => undefined,
});

const hasApprovedScript = defineScript({
  name: "automod-has-approved",
  keyCount: 1,
  lua: readLua(lua, "has-approved"),
  reply: (raw) => z.number().parse(raw) === 1,
});

/**
 * The messages of all processes that are in flight, kept in Redis. A check does not find a message in the database
 * until its row is committed, and its reads of the database may be older than the check; this covers that interval.
 */
export type InFlight = ReturnType<typeof createInFlight>;

export function createInFlight({ redis }: { redis: RedisConnection }) {
  const bounds = { inFlightMax: scriptsInFlightMax, batchMax: lookupBatchMax };
  const reserve = createBatcher<MessageInFlight, Reservation>({
    ...bounds,
    async work(messages) {
      const answers = await redis.run(reserveScript, [], messages.flatMap(toArguments));
      return messages.map((message, index) => {
        const [text, approved] = answers[index] ?? ["locked", 0];
        return { text, approved: approved === 1, ticket: toTicket(message, text, approved === 1) };
      });
    },
  });
  const release = createBatcher<{ ticket: string; messageId: string | null }, true>({
    ...bounds,
    async work(released) {
      await redis.run(releaseScript, [], [sequenceExpiryMs, ...released.flatMap(toRelease)]);
      return released.map(() => true);
    },
  });
  return {
    /** Locks the text and counts the message. While another one has locked the text, the caller repeats the call. */
    reserve,
    /**
     * Ends the reservations of a message that was stored or given up (`messageId` null); without effect after they have
     * expired.
     */
    release,
    /** Whether the member has approved messages that are not released. */
    hasApproved: ({ serverId, userId }: { serverId: string; userId: string }) =>
      redis.run(hasApprovedScript, [inFlightKey(`${serverId}:${userId}`)], []),
  };
}

function textName({ channelId, userId, text }: MessageInFlight): string {
  return text === null ? none : `${channelId}:${userId}:${createHash("sha256").update(text).digest("base64url")}`;
}

function toArguments(message: MessageInFlight): (string | number)[] {
  const { judgementId, serverId, userId, othersMax, rememberedMs } = message;
  const text = textName(message);
  return [
    text === none ? none : textKey(text),
    judgementId,
    othersMax === null ? none : inFlightKey(`${serverId}:${userId}`),
    othersMax ?? 0,
    rememberedMs,
  ];
}

/** Judgement, name of the text and name of the member, each only if there is something to release. */
function toTicket(message: MessageInFlight, state: Reservation["text"], approved: boolean): string | null {
  const text = state === "locked" ? none : textName(message);
  const member = approved ? `${message.serverId}:${message.userId}` : none;
  return text === none && member === none ? null : `${message.judgementId} ${text} ${member}`;
}

function toRelease({ ticket, messageId }: { ticket: string; messageId: string | null }): string[] {
  const [judgementId = none, text = none, member = none] = ticket.split(" ");
  return [
    text === none ? none : textKey(text),
    judgementId,
    member === none ? none : inFlightKey(member),
    member === none ? none : sequenceKey(member),
    messageId ?? none,
  ];
}
