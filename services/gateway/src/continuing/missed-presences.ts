import { dispatchFrame } from "@parley/contracts";
import type { Database } from "@parley/database";
import { type ChangedPresence, presencesChangedSince } from "@parley/presence";
import { createBatcher } from "@parley/service-runtime";
import { encodeTextFrame } from "../connection/frames.js";
import type { UserEntry } from "../hub/user-entry.js";
import {
  changedPresencesBatchMax,
  changedPresencesMax,
  presenceMarginSeconds,
  replayPresencesMax,
  sharedReadRestFactor,
} from "../limits.js";
import type { ConnectionQuery } from "../query/connection-query.js";

/**
 * Reads presences that changed. They are the same for all connections, so calls during one statement share the next.
 */
export class MissedPresences {
  readonly #changedSince;

  constructor(database: Pick<Database, "query">) {
    this.#changedSince = createBatcher({
      work: async (times: readonly number[]) => {
        const changed = new ChangedPresences(
          await presencesChangedSince(database, Math.min(...times), changedPresencesMax),
        );
        return times.map(() => changed);
      },
      batchMax: changedPresencesBatchMax,
      inFlightMax: 1,
      restFactor: sharedReadRestFactor,
    });
  }

  /**
   * PRESENCE_UPDATE of every co-member whose presence changed since a time, as far as the connection asks for presence;
   * "stale" when there are more than {@link replayPresencesMax} (docs/protocol/continuing.md#19.2).
   *
   * @param writtenAt in seconds since 1970, by the clock of any node
   */
  async framesFor(
    user: UserEntry,
    { presence, events }: ConnectionQuery,
    writtenAt: number,
  ): Promise<readonly Buffer[] | "stale"> {
    if (presence !== "all" || events?.has("PRESENCE_UPDATE") === false) return [];
    const since = writtenAt - presenceMarginSeconds;
    const changed = await this.#changedSince(since);
    return changed.framesFor(user, since);
  }
}

/** Changed presences, indexed by server: a continuing user is in few of all servers. */
class ChangedPresences {
  readonly #byServer = new Map<string, ChangedPresence[]>();
  readonly #frames = new Map<ChangedPresence, Buffer>();
  /** The list has every change after this time. */
  readonly #completeSince: number;

  /** @param newestFirst at most {@link changedPresencesMax} */
  constructor(newestFirst: readonly ChangedPresence[]) {
    this.#completeSince =
      newestFirst.length < changedPresencesMax ? Number.NEGATIVE_INFINITY : (newestFirst.at(-1)?.changed_at ?? 0);
    for (const changed of newestFirst) {
      for (const serverId of changed.server_ids) {
        const ofServer = this.#byServer.get(serverId);
        if (ofServer === undefined) this.#byServer.set(serverId, [changed]);
        else ofServer.push(changed);
      }
    }
  }

  framesFor(user: UserEntry, since: number): Buffer[] | "stale" {
    if (this.#completeSince >= since) return "stale";
    const missed = new Set<ChangedPresence>();
    for (const { id } of user.servers) {
      for (const changed of this.#byServer.get(id) ?? []) {
        if (changed.changed_at < since) break;
        if (changed.user_id !== user.id) missed.add(changed);
      }
      if (missed.size > replayPresencesMax) return "stale";
    }
    return [...missed].map((changed) => this.#frameOf(changed));
  }

  #frameOf(changed: ChangedPresence): Buffer {
    const known = this.#frames.get(changed);
    if (known !== undefined) return known;
    const { user_id, status, custom_status, activity } = changed;
    const payload = { user_id, status, custom_status, activity };
    const frame = encodeTextFrame(Buffer.from(dispatchFrame("PRESENCE_UPDATE", JSON.stringify(payload))));
    this.#frames.set(changed, frame);
    return frame;
  }
}
