import { randomUUID } from "node:crypto";
import { errorTexts, rateLimited } from "@parley/contracts";
import { defineScript, type RedisConnection, readLua } from "@parley/redis";
import type { MessageDraft } from "./draft.js";

/** How long a message may take from its reservation until it is stored, beyond the verdicts of auto-moderation. */
const flightMs = 15_000;
/** How long a reservation outlives its message, for those whose context was read before that was stored. */
const afterStoredMs = 10_000;

/** The slow mode of a channel for an author without an exemption. */
export interface SlowMode {
  seconds: number;
  /** Until the next message may be sent, by the messages that are stored; 0 or less when it may be now. */
  waitMs: number;
}

/** A reservation of one author in one channel. Exactly one of the two is called. */
interface Reservation {
  /** The message was not stored: the next one need not wait for it. */
  giveBack(): Promise<void>;
  /** The message is stored, so the database knows of it. */
  stored(): void;
}

const endScript = defineScript({
  name: "slow-mode-end",
  keyCount: 1,
  lua: readLua(new URL("../../../lua/", import.meta.url), "slow-mode-end"),
  reply: () => undefined,
});

const nothingReserved: Reservation = { giveBack: async () => undefined, stored: () => undefined };

/**
 * Slow mode (docs/protocol/messages.md#24.3), over all processes. The stored messages decide, those from before it was switched
 * on included; a reservation in Redis keeps two messages apart that are sent at once, until the first one is stored or
 * refused. While Redis is away nobody waits.
 *
 * @param options.verdictTimeoutMs how long a message waits for each of the two verdicts of auto-moderation
 */
export function createSlowModes(options: { redis: RedisConnection; verdictTimeoutMs: number }) {
  const { redis } = options;
  const flightMsMax = flightMs + 2 * options.verdictTimeoutMs;

  /** @throws ServiceError 429 when the author has to wait */
  return async function reserve(
    { authorId, channelId }: Pick<MessageDraft, "authorId" | "channelId">,
    slowMode: SlowMode | null,
  ): Promise<Reservation> {
    if (slowMode === null || !redis.ready) return nothingReserved;
    const { seconds, waitMs } = slowMode;
    if (waitMs > 0) throw tooSoon(waitMs);
    const key = `slow-mode:${channelId}:${authorId}`;
    const token = randomUUID();
    const reservedAt = performance.now();
    const reply = await redis.client.set(key, token, "PX", flightMsMax, "NX").catch(() => "away");
    if (reply === null) throw tooSoon(seconds * 1_000);
    if (reply !== "OK") return nothingReserved;
    const end = (forMs: number) => redis.run(endScript, [key], [token, forMs]).catch(() => undefined);
    return {
      giveBack: () => end(0),
      stored() {
        // The message was stored after its reservation, so the reservation expires before the author may send again.
        const restMs = Math.ceil(seconds * 1_000 - (performance.now() - reservedAt));
        void end(Math.max(Math.min(restMs, afterStoredMs), 1));
      },
    };
  };
}

export type ReserveSlowMode = ReturnType<typeof createSlowModes>;

function tooSoon(waitMs: number) {
  const seconds = Math.ceil(waitMs / 1_000);
  return rateLimited("slow_mode", errorTexts.slow_mode(seconds), seconds);
}
