import { createHash } from "node:crypto";
import { defineScript, type RedisConnection, readLua } from "@parley/redis";
import { createBatcher } from "@parley/service-runtime";
import { z } from "zod";
import { arrivalsKey } from "./arrivals.js";
import { arrivalsExpiryMs, lookupBatchMax, scriptsInFlightMax } from "./limits.js";

const lua = new URL("../lua/", import.meta.url);

/** A message between its check and its row in the database. */
export interface Sending {
  judgementId: string;
  serverId: string;
  userId: string;
  channelId: string;
  /** Content that must not be sent twice; null when duplicates are allowed. */
  text: string | null;
  /** Most other sendings of the author with which this one is certainly no spam; null when spam is allowed. */
  othersMax: number | null;
  /** Milliseconds after which every check reads a database that has this message. */
  rememberedMs: number;
}

/** Result of comparing a sending with the others that are under way. */
export interface Announced {
  /**
   * - `fresh`: the text was not sent recently
   * - `seen`: it was sent recently, so the database must be read
   * - `held`: another message with the text is being stored
   */
  text: "fresh" | "seen" | "held";
  /** Certainly no spam. Later messages are judged with this one counted. */
  cleared: boolean;
  /** For {@link Sendings.settle}; null when there is nothing to settle. */
  ticket: string | null;
}

/**
 * The sendings of all processes, kept in Redis. A check does not find a message in the database until its row is
 * committed, and what it has read of the database may be older than the check; sendings cover that interval.
 */
export interface Sendings {
  /**
   * Reserves the text and counts the sending. While another sending holds the text, the caller has to repeat the call.
   */
  announce(sending: Sending): Promise<Announced>;
  /**
   * Ends the reservations of a message that was stored or given up; without effect after they have expired.
   *
   * @param messageId null when the message was given up
   */
  settle(ticket: string, messageId: string | null): Promise<void>;
  /** Whether the member has cleared messages that are not settled. */
  hasCleared(member: { serverId: string; userId: string }): Promise<boolean>;
}

/*
 * Keys in Redis:
 *
 * - `automod:text:<channel>:<user>:<hash of the content>`: the judgement that holds the text; empty once it is settled
 * - `automod:sendings:<server>:<user>`: sorted set of the latest judgements by time; those that were cleared and are
 *   not settled have a prefix
 *
 * They are passed as arguments, because one call handles the sendings of many users. This needs one Redis, not Redis
 * Cluster.
 */
const textKey = (name: string) => `automod:text:${name}`;
const sendingsKey = (name: string) => `automod:sendings:${name}`;
/** Placeholder in tickets and arguments for an absent value. */
const none = "-";

const announceScript = defineScript({
  name: "automod-announce",
  keyCount: 0,
  lua: readLua(lua, "announce"),
  reply: (raw) => z.array(z.tuple([z.enum(["fresh", "seen", "held"]), z.number()])).parse(raw),
});

const settleScript = defineScript({
  name: "automod-settle",
  keyCount: 0,
  lua: readLua(lua, "settle"),
  reply: () => undefined,
});

const hasClearedScript = defineScript({
  name: "automod-has-cleared",
  keyCount: 1,
  lua: readLua(lua, "has-cleared"),
  reply: (raw) => z.number().parse(raw) === 1,
});

export function createSendings({ redis }: { redis: RedisConnection }): Sendings {
  const bounds = { inFlightMax: scriptsInFlightMax, batchMax: lookupBatchMax };
  const announcing = createBatcher<Sending, Announced>({
    ...bounds,
    async work(sendings) {
      const answers = await redis.run(announceScript, [], sendings.flatMap(toArguments));
      return sendings.map((sending, index) => {
        const [text, cleared] = answers[index] ?? ["held", 0];
        return { text, cleared: cleared === 1, ticket: toTicket(sending, text, cleared === 1) };
      });
    },
  });
  const settling = createBatcher<{ ticket: string; messageId: string | null }, true>({
    ...bounds,
    async work(settled) {
      await redis.run(settleScript, [], [arrivalsExpiryMs, ...settled.flatMap(toSettlement)]);
      return settled.map(() => true);
    },
  });
  return {
    announce: (sending) => announcing(sending),
    async settle(ticket, messageId) {
      await settling({ ticket, messageId });
    },
    hasCleared: ({ serverId, userId }) => redis.run(hasClearedScript, [sendingsKey(`${serverId}:${userId}`)], []),
  };
}

function textName({ channelId, userId, text }: Sending): string {
  return text === null ? none : `${channelId}:${userId}:${createHash("sha256").update(text).digest("base64url")}`;
}

function toArguments(sending: Sending): (string | number)[] {
  const { judgementId, serverId, userId, othersMax, rememberedMs } = sending;
  const text = textName(sending);
  return [
    text === none ? none : textKey(text),
    judgementId,
    othersMax === null ? none : sendingsKey(`${serverId}:${userId}`),
    othersMax ?? 0,
    rememberedMs,
  ];
}

/** Judgement, name of the text and name of the member, each only if there is something to settle. */
function toTicket(sending: Sending, state: Announced["text"], cleared: boolean): string | null {
  const text = state === "held" ? none : textName(sending);
  const member = cleared ? `${sending.serverId}:${sending.userId}` : none;
  return text === none && member === none ? null : `${sending.judgementId} ${text} ${member}`;
}

function toSettlement({ ticket, messageId }: { ticket: string; messageId: string | null }): string[] {
  const [judgementId = none, text = none, member = none] = ticket.split(" ");
  return [
    text === none ? none : textKey(text),
    judgementId,
    member === none ? none : sendingsKey(member),
    member === none ? none : arrivalsKey(member),
    messageId ?? none,
  ];
}
