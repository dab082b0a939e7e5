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
  /** What must not be sent twice; null when duplicates are allowed. */
  text: string | null;
  /** How many others of the author may be under way while this one is certainly not spam; null when spam is allowed. */
  othersMax: number | null;
  /** For how long another check may be looking at a database that does not have this message yet. */
  rememberedMs: number;
}

/** What the others that are under way mean for a message. */
export interface Announced {
  /**
   * `fresh`: the text was not sent for a while. `seen`: it was, so the database must be asked. `held`: another message with
   * the text is being stored.
   */
  text: "fresh" | "seen" | "held";
  /** Certainly not spam: later messages are counted with this one. */
  cleared: boolean;
  /** For {@link Sendings.settle}; null when there is nothing to settle. */
  ticket: string | null;
}

/**
 * What is being sent, known to all processes: the database knows of a message only when it is stored, and what a check
 * read of the database is a little older than the check. A sending bridges that time.
 */
export interface Sendings {
  /** Takes the text, unless it is held, and counts the sending. To be repeated while the text is held. */
  announce(sending: Sending): Promise<Announced>;
  /**
   * The message is stored, or never will be; nothing happens when all is forgotten by now.
   *
   * @param messageId null when it never will be
   */
  settle(ticket: string, messageId: string | null): Promise<void>;
  /** Whether messages that were cleared are still under way. */
  hasCleared(member: { serverId: string; userId: string }): Promise<boolean>;
}

/*
 * Keys, which are arguments because what is due at the same moment goes together (this needs one Redis, not Redis
 * Cluster):
 * `automod:text:<channel>:<user>:<hash of the content>`, the judgement that holds it, or nothing when it let go.
 * `automod:sendings:<server>:<user>`, a sorted set of the latest judgements by time; those that were cleared and are not
 * settled have a prefix.
 */
const textKey = (name: string) => `automod:text:${name}`;
const sendingsKey = (name: string) => `automod:sendings:${name}`;
/** In tickets and arguments, for what does not matter. */
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
