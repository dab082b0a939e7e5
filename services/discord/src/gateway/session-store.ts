import { defineScript, type RedisConnection } from "@parley/redis";
import { z } from "zod";
import { largeThreshold, positionsMax, seenMax, sessionSeconds } from "./limits.js";
import type { Position, SequenceRecord } from "./positions.js";

/** The stored state of a session, from which any process continues it. */
export interface StoredSession {
  readonly userId: string;
  readonly intents: number;
  readonly largeThreshold: number;
  readonly shard: readonly [number, number];
  readonly events: readonly string[];
}

/** A session that a client continues behind a sequence number. */
export interface ContinuedSession extends StoredSession {
  readonly position: Position;
  /** Interactions that the client has. */
  readonly seen: readonly string[];
}

const Position_ = z.object({
  cursor: z.string(),
  serversAfter: z.string().optional(),
  begun: z.object({ event: z.string(), dispatches: z.int() }).optional(),
});
const Session_ = z.object({
  userId: z.string(),
  intents: z.int(),
  // The version before stored none.
  largeThreshold: z.int().default(largeThreshold.default),
  shard: z.tuple([z.int(), z.int()]),
  // Nor these. A session keeps those that it began with: a gateway continues no connection with others.
  events: z.array(z.string()).default([]),
});
const Found = z.tuple([z.string(), z.string(), z.array(z.string())]);

// Three keys of each session: its data and owner, positions by sequence number, and interactions by sequence number.
const keysOf = (id: string) => ["session", "positions", "seen"].map((part) => `discord:{${id}}:${part}`);
const expire = `for _, key in ipairs(KEYS) do redis.call("EXPIRE", key, ${sessionSeconds}) end`;
const isOwner = `if redis.call("HGET", KEYS[1], "owner") ~= ARGV[1] then return 0 end`;

/** ARGV: owner, then for each record its number, its position or nothing, its interaction or nothing. */
const recordScript = defineScript({
  name: "discord_record",
  keyCount: 3,
  lua: `${isOwner}
for at = 2, #ARGV, 3 do
  local sequence, position, interaction = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  if position ~= "" then
    redis.call("ZREMRANGEBYSCORE", KEYS[2], sequence, sequence)
    redis.call("ZADD", KEYS[2], sequence, sequence .. " " .. position)
  end
  if interaction ~= "" then redis.call("ZADD", KEYS[3], sequence, interaction) end
end
redis.call("ZREMRANGEBYRANK", KEYS[2], 0, -${positionsMax + 1})
redis.call("ZREMRANGEBYRANK", KEYS[3], 0, -${seenMax + 1})
${expire}
return 1`,
  reply: (raw) => raw === 1,
});

/** ARGV: owner, a number that the client has: no older one comes back. */
const acknowledgeScript = defineScript({
  name: "discord_acknowledge",
  keyCount: 3,
  lua: `${isOwner}
local newest = redis.call("ZREVRANGEBYSCORE", KEYS[2], ARGV[2], "-inf", "WITHSCORES", "LIMIT", 0, 1)
if newest[2] then redis.call("ZREMRANGEBYSCORE", KEYS[2], "-inf", "(" .. newest[2]) end
${expire}
return 1`,
  reply: (raw) => raw === 1,
});

/** ARGV: owner, the last number that was sent. A process that dies leaves none. */
const leaveScript = defineScript({
  name: "discord_leave",
  keyCount: 3,
  lua: `${isOwner}
redis.call("HSET", KEYS[1], "left", ARGV[1], "last", ARGV[2])
return 1`,
  reply: (raw) => raw === 1,
});

/**
 * ARGV: new owner, the number that the client has, the account. Removes the records after that number: their dispatches
 * get new numbers.
 */
const continueScript = defineScript({
  name: "discord_continue",
  keyCount: 3,
  lua: `local session = redis.call("HGET", KEYS[1], "session")
local position = redis.call("ZREVRANGEBYSCORE", KEYS[2], ARGV[2], "-inf", "LIMIT", 0, 1)[1]
if not session or not position or redis.call("HGET", KEYS[1], "user") ~= ARGV[3] then return false end
local owner, left, last = unpack(redis.call("HMGET", KEYS[1], "owner", "left", "last"))
if left == owner and tonumber(ARGV[2]) > tonumber(last) then return "ahead" end
redis.call("HSET", KEYS[1], "owner", ARGV[1])
redis.call("ZREMRANGEBYSCORE", KEYS[2], "(" .. ARGV[2], "+inf")
redis.call("ZREMRANGEBYSCORE", KEYS[3], "(" .. ARGV[2], "+inf")
${expire}
return { session, position, redis.call("ZRANGE", KEYS[3], 0, -1) }`,
  reply: (raw) => (raw === null ? null : raw === "ahead" ? raw : Found.parse(raw)),
});

/** Sessions in Redis, which every process of the service continues. */
export type SessionStore = ReturnType<typeof createSessionStore>;

export function createSessionStore({ redis }: { redis: Pick<RedisConnection, "run" | "client"> }) {
  return {
    /** @param owner the connection that has the session from now on */
    async begin(id: string, owner: string, session: StoredSession): Promise<void> {
      const [key = ""] = keysOf(id);
      await redis.client.hset(key, { owner, user: session.userId, session: JSON.stringify(session) });
      await redis.client.expire(key, sessionSeconds);
    },
    /**
     * Gives a session to another connection.
     *
     * @param sequence the last that the client has
     * @returns null when the account has no such session, `ahead` when no dispatch with this number was sent
     */
    async continue(
      id: string,
      { owner, userId, sequence }: { owner: string; userId: string; sequence: number },
    ): Promise<ContinuedSession | "ahead" | null> {
      const found = await redis.run(continueScript, keysOf(id), [owner, sequence, userId]);
      if (found === null || found === "ahead") return found;
      const [session, record, seen] = found;
      const position = Position_.parse(JSON.parse(record.slice(record.indexOf(" ") + 1)));
      return { ...Session_.parse(JSON.parse(session)), position, seen } as ContinuedSession;
    },
    /** @returns false when another connection has the session */
    record(id: string, owner: string, records: readonly SequenceRecord[]): Promise<boolean> {
      const values = records.flatMap(({ sequence, position, interaction = "" }) => [
        sequence,
        position === null ? "" : JSON.stringify(position),
        interaction,
      ]);
      return redis.run(recordScript, keysOf(id), [owner, ...values]);
    },
    /** @returns false when another connection has the session */
    acknowledge(id: string, owner: string, sequence: number): Promise<boolean> {
      return redis.run(acknowledgeScript, keysOf(id), [owner, sequence]);
    },
    /** The connection is gone, and this was its last number: a client that names a later one is wrong. */
    async leave(id: string, owner: string, sequence: number): Promise<void> {
      await redis.run(leaveScript, keysOf(id), [owner, sequence]);
    },
    async end(id: string): Promise<void> {
      await redis.client.del(...keysOf(id));
    },
  };
}
