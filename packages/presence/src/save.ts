import type { Database } from "@parley/database";
import type { Messaging } from "@parley/messaging";
import { createBatcher, type MinimalLogger } from "@parley/service-runtime";
import type { Voice } from "@parley/voice";
import { announce } from "./announce.js";
import { attemptsMax, batchMax, inFlightMax } from "./limits.js";
import type { Registry, Transition } from "./registry.js";
import { connectedAmong, saveTransitions } from "./status-row.js";

/** Dependencies of saving. */
export interface SaveDependencies {
  registry: Registry;
  database: Pick<Database, "query">;
  messaging: Messaging;
  voice: Pick<Voice, "endAllOfUser">;
  logger: MinimalLogger;
}

/**
 * Saves a user's last transition from Redis in PostgreSQL, ends the user's voice state where it has to, and sends the
 * presence to co-members. Resolves when that is done or nothing is unsaved. Never rejects: failures are logged, and the
 * transition stays in Redis until the maintenance of any gateway saves it.
 */
export type SaveTransition = (userId: string) => Promise<void>;

/**
 * The result is correct whichever process saves a transition, at any time and any number of times:
 *
 * - Redis orders the transitions of a user by version. A process always saves the last one, read together with whether
 * the user is connected; PostgreSQL refuses it if it has that version or a newer one. So an `offline` that was
 * overtaken by a connect is refused, or is followed by the connect's own write, and is never the final state.
 * - A transition stays in Redis until PostgreSQL has confirmed that version. If the process dies before, another
 * process saves it.
 * - A voice state ends if it began before the last 1 → 0, even when a 0 → 1 came right after it.
 */
export function createSaves(dependencies: SaveDependencies) {
  const { registry, logger } = dependencies;

  const saveAll = async (userIds: readonly string[]) => {
    let open = [...new Set(userIds)];
    for (let attempt = 0; attempt < attemptsMax && open.length > 0; attempt += 1) {
      const transitions = await registry.transitions(open);
      if (transitions.length === 0) return;
      open = await registry.markSaved(await saveOnce(dependencies, transitions));
    }
  };

  const save = createBatcher({
    batchMax,
    inFlightMax,
    work: async (userIds: readonly string[]) => {
      try {
        await saveAll(userIds);
      } catch (err) {
        logger.warn({ err, users: userIds.length }, "presence could not be saved; it will be");
      }
      return userIds;
    },
  });
  const underWay = new Set<Promise<unknown>>();
  return {
    async save(userId: string): Promise<void> {
      const saving = save(userId);
      underWay.add(saving);
      await saving;
      underWay.delete(saving);
    },
    /** Resolves when nothing is under way. */
    async end(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

async function saveOnce(dependencies: SaveDependencies, transitions: readonly Transition[]) {
  const due = await endVoice(dependencies, transitions);
  const rows = await saveTransitions(dependencies.database, due);
  // A process that died may have saved a transition without announcing it.
  const late = new Map(due.flatMap(({ userId, version, late }) => (late ? [[userId, version] as const] : [])));
  await announce(
    dependencies,
    rows.filter((row) => row.is_news || late.get(row.user_id) === row.stored),
  );
  const stored = new Map(rows.map((row) => [row.user_id, row.stored]));
  // A user without a row is deleted; the transition counts as saved.
  return due.map(({ userId, version }) => ({ userId, version, stored: stored.get(userId) ?? "0" }));
}

/** Ends voice where it has to; returns the transitions for which that succeeded. */
async function endVoice(
  { database, voice, logger }: SaveDependencies,
  transitions: readonly Transition[],
): Promise<Transition[]> {
  // A repair that changes nothing must not end a voice state that was begun without a connection.
  const unconfirmed = transitions.filter(({ repair, online }) => repair && !online).map(({ userId }) => userId);
  const connected = unconfirmed.length === 0 ? new Set() : await connectedAmong(database, unconfirmed);
  const results = await Promise.all(
    transitions.map(async ({ userId, ended, repair, online }) => {
      if (ended === null || (repair && !online && !connected.has(userId))) return true;
      try {
        // Versions are microseconds of the clock that also stamps joined_at.
        await voice.endAllOfUser(userId, { joinedUpToMs: Math.floor(Number(ended) / 1000) });
        return true;
      } catch (err) {
        logger.warn({ err, user_id: userId }, "voice could not be ended; it will be");
        return false;
      }
    }),
  );
  return transitions.filter((_, index) => results[index]);
}
