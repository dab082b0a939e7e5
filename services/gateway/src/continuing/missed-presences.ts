import { dispatchFrame } from "@parley/contracts";
import type { Database } from "@parley/database";
import { type ChangedPresence, presencesChangedSince } from "@parley/presence";
import { createBatcher } from "@parley/service-runtime";
import { encodeTextFrame } from "../connection/frames.js";
import type { UserEntry } from "../hub/user-entry.js";
import { changedPresencesBatchMax, changedPresencesMax, presenceMarginSeconds, replayPresencesMax } from "../limits.js";
import type { ConnectionQuery } from "../session/connection-query.js";

/**
 * PRESENCE_UPDATE of every co-member whose presence changed since a time, as far as the connection asks for presence;
 * "stale" when there are more than {@link replayPresencesMax} (docs/interface.md#19.2).
 *
 * @param since in seconds since 1970, by the clock of any node
 */
export type MissedPresences = (
  user: UserEntry,
  query: ConnectionQuery,
  since: number,
) => Promise<readonly Buffer[] | "stale">;

/** What changed is the same for all who continue, so a statement serves those who ask while the one before it runs. */
export function createMissedPresences({ database }: { database: Pick<Database, "query"> }): MissedPresences {
  const changedSince = createBatcher({
    work: async (times: readonly number[]) => {
      const changed = await presencesChangedSince(database, Math.min(...times), changedPresencesMax);
      return times.map(() => changed);
    },
    batchMax: changedPresencesBatchMax,
    inFlightMax: 1,
  });

  return async (user, { presence, events }, writtenAt) => {
    if (presence !== "all" || events?.has("PRESENCE_UPDATE") === false) return [];
    const since = writtenAt - presenceMarginSeconds;
    const changed = await changedSince(since);
    const isComplete = changed.length < changedPresencesMax || (changed.at(-1)?.changed_at ?? 0) < since;
    if (!isComplete) return "stale";
    const serverIds = new Set([...user.servers].map(({ id }) => id));
    const missed = changed.filter(
      ({ user_id, server_ids, changed_at }) =>
        changed_at >= since && user_id !== user.id && server_ids.some((serverId) => serverIds.has(serverId)),
    );
    return missed.length > replayPresencesMax ? "stale" : missed.map(frameOf);
  };
}

function frameOf({ user_id, status, custom_status, activity }: ChangedPresence): Buffer {
  const payload = { user_id, status, custom_status, activity };
  return encodeTextFrame(Buffer.from(dispatchFrame("PRESENCE_UPDATE", JSON.stringify(payload))));
}
