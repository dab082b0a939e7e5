import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { errorTexts, ServiceError, type StorageDetails } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { Logger } from "@parley/service-runtime";
import { type Charged, endReservation, findCharged, lockUses, reserve, takesEveryKind } from "./repository.js";

/** A reservation of a process that died lapses after so long; one at work is renewed after a tenth of it. */
const reservedSeconds = 600;
/** How much more an upload of unknown length reserves at a time. */
const stepBytes = 4 * 1024 * 1024;
/** How long an upload waits for others, which may give back what they reserved. */
const waitMaxMs = 10_000;
const askAgainMs = 100;

/** What an upload counts for: an author in a channel, a server, or the installation alone. */
export type ChargedTo = { authorId: string; channelId: string } | { serverId: string } | "installation";

/** Room for an upload, from its first byte until its rows are stored. */
export interface Reservation {
  /**
   * Counts bytes that are about to be stored.
   *
   * @throws ServiceError 400 of docs/protocol/storage.md#34.3
   */
  take(bytes: number): Promise<void>;
  /** Whether the installation stores files of every kind. */
  takesEveryKind(): Promise<boolean>;
  /** Gives back what is not filled: to be called when the rows are stored, or not. Never rejects. */
  end(): Promise<void>;
}

/** Bytes that nobody counts, such as those of an import. */
export const unlimited = { take: async () => undefined, takesEveryKind: async () => false };

/** Content that is counted as it passes. */
export async function* metered(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { take }: Pick<Reservation, "take">,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    await take(chunk.length);
    yield chunk;
  }
}

export function createReservations({ database, logger }: { database: Database; logger: Logger }) {
  /** @returns how much is reserved; null where others have reserved what is left */
  const tryReserve = (id: string, charged: Charged, { needed, wanted }: { needed: number; wanted: number }) =>
    database.transaction(async (transaction) => {
      let room = wanted;
      const uses = await lockUses(transaction, charged, id);
      // Nobody asks for what is reserved where there is no quota.
      if (uses.length === 0) return room;
      for (const { scope, quota, used, reserved } of uses) {
        if (used + needed > quota) throw exceeded({ scope, used, quota });
        room = Math.min(room, quota - used - reserved);
      }
      if (room < needed) return null;
      await reserve(transaction, charged, { id, bytes: room, seconds: reservedSeconds });
      return room;
    });

  return {
    /**
     * Room for an upload, which is reserved when its first bytes come.
     *
     * @param length bytes that will come at most, where they are known
     */
    open(to: ChargedTo, length = 0): Reservation {
      const id = randomUUID();
      let charged: Charged | undefined;
      let [taken, held, heldAt] = [0, 0, 0];
      /** What reserves, if anything does: an upload may fail elsewhere meanwhile. */
      let holding: Promise<unknown> = Promise.resolve();

      const find = async (): Promise<Charged> => {
        if (to === "installation") return { accountId: null, serverId: null };
        return "serverId" in to ? { accountId: null, serverId: to.serverId } : findCharged(database, to);
      };

      const hold = async () => {
        charged ??= await find();
        const until = Date.now() + waitMaxMs;
        const size = { needed: taken, wanted: Math.max(taken + (length === 0 ? stepBytes : 0), length) };
        for (;;) {
          const room = await tryReserve(id, charged, size);
          if (room !== null) {
            [held, heldAt] = [room, Date.now()];
            return;
          }
          // The others may still fill what they have reserved: then this upload is refused.
          if (Date.now() > until) throw await refusal(charged);
          await pause(askAgainMs * (0.5 + Math.random()));
        }
      };

      const refusal = (charged: Charged) =>
        database.transaction(async (transaction) => {
          const uses = await lockUses(transaction, charged, id);
          const [fullest] = uses.toSorted((a, b) => a.quota - a.used - a.reserved - (b.quota - b.used - b.reserved));
          return fullest === undefined ? unknownRoom() : exceeded(fullest);
        });

      return {
        async take(bytes) {
          taken += bytes;
          const isFresh = Date.now() - heldAt < (reservedSeconds * 1000) / 10;
          if (taken <= held && isFresh) return;
          const reserving = hold();
          holding = reserving.catch(() => undefined);
          await reserving;
        },
        takesEveryKind: () => takesEveryKind(database),
        async end() {
          await holding;
          if (held === 0) return;
          held = 0;
          try {
            await endReservation(database, id);
          } catch (err) {
            logger.warn({ err }, "a reservation of storage lapses later");
          }
        },
      };
    },
  };
}

/** Room for uploads, exact over all processes. */
export type Reservations = ReturnType<typeof createReservations>;

const exceeded = ({ scope, used, quota }: StorageDetails) =>
  new ServiceError("invalid_input", errorTexts.storage_quota_exceeded, { details: { scope, used, quota } });

/** The quota went while the upload waited. */
const unknownRoom = () => new ServiceError("unavailable", errorTexts.unavailable);
