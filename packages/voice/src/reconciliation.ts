import type { Database } from "@parley/database";
import type { Outbox } from "@parley/outbox";
import type { RedisConnection } from "@parley/redis";
import {
  type Announcement,
  type AnnouncementKey,
  announcementsAfter,
  emitChanges,
  stillRecorded,
  textOf,
} from "./announcements.js";
import { type Change, StoredState } from "./change.js";
import { placesOf } from "./events.js";
import { reconciledBatchMax, unpublishedReadMax } from "./limits.js";
import { confirm, publish } from "./publish.js";
import { createVoiceStore } from "./scripts.js";

const beforeAll: AnnouncementKey = {
  channel_id: "00000000-0000-0000-0000-000000000000",
  user_id: "00000000-0000-0000-0000-000000000000",
  kind: "go_live",
};

/** An announcement that differs from Redis. */
interface Difference {
  announcement: Announcement;
  /** JSON of the state in Redis; "null" when there is none. */
  current: string;
  change: Change;
}

/**
 * Announces the end of voice states and broadcasts that Redis has lost, by a FLUSHALL or because it restarted without
 * its newest data. The table `voice_announcements` has the last announcements to clients. Each process starts at its
 * beginning.
 */
export type VoiceReconciliation = ReturnType<typeof createVoiceReconciliation>;

export function createVoiceReconciliation(options: { database: Database; redis: RedisConnection; outbox: Outbox }) {
  const { database, outbox } = options;
  const store = createVoiceStore(options.redis);
  let after = beforeAll;

  /** The differing states in Redis; "" for announcements that need no correction. */
  const differing = (announcements: readonly Announcement[]) =>
    store.run("reconcile", [
      unpublishedReadMax,
      ...announcements.flatMap(({ kind, channel_id, user_id }) => [kind, channel_id, user_id]),
    ]);

  async function findDifferences(announcements: readonly Announcement[]): Promise<Difference[]> {
    const states = await differing(announcements);
    return announcements.flatMap((announcement, index) => {
      const current = states[index] ?? "";
      return current === "" ? [] : [{ announcement, current, change: correctionOf(announcement, current) }];
    });
  }

  /**
   * The transaction holds the lock of the channel's ordering key, without which no process writes announcements of the
   * channel. It compares once more under this lock, so a join in between is not undone: its own announcement comes
   * after the transaction. The script only reads Redis, so it may run again when the transaction is retried.
   */
  async function correct(differences: readonly Difference[]): Promise<number> {
    const corrected = await outbox.transaction(
      differences.flatMap(({ change }) => placesOf(change)),
      async (transaction, emit) => {
        const announcements = differences.map(({ announcement }) => announcement);
        const recorded = await stillRecorded(transaction, announcements);
        const states = await differing(announcements);
        const due = differences.flatMap(({ announcement, current, change }, index) =>
          recorded.has(textOf(announcement)) && states[index] === current ? [change] : [],
        );
        await emitChanges(transaction, emit, due);
        return due;
      },
    );
    // These changes are not in `voice:unsaid`, so there is no text to remove from it.
    const published = corrected.map((change) => ({ text: "", change }));
    await publish({ outbox, store }, await confirm(store, published));
    return corrected.length;
  }

  return {
    /**
     * Compares the next {@link reconciledBatchMax} announcements with Redis. Where they differ and Redis has no
     * unpublished change of the same state, it announces the state in Redis. Repeats this with the following announcements
     * while a full batch had such ones. Any number of processes may call it at the same time.
     *
     * @returns number of announced corrections
     * @throws when Redis or the database is out of reach
     */
    async reconcile(): Promise<number> {
      let count = 0;
      for (let goOn = true; goOn; ) {
        const page = await announcementsAfter(database, after, reconciledBatchMax);
        const differences = page.length === 0 ? [] : await findDifferences(page);
        for (const channelId of new Set(differences.map(({ announcement }) => announcement.channel_id))) {
          count += await correct(differences.filter(({ announcement }) => announcement.channel_id === channelId));
        }
        const last = page.length < reconciledBatchMax ? undefined : page.at(-1);
        after = last ?? beforeAll;
        goOn = last !== undefined && differences.length > 0;
      }
      return count;
    },
  };
}

/** The change that brings clients from an announcement to the state in Redis. */
function correctionOf({ kind, server_id, channel_id, user_id, username }: Announcement, current: string): Change {
  if (kind === "go_live") return { kind, server_id, channel_id, broadcaster_id: user_id, session: null };
  const state = StoredState.nullable().parse(JSON.parse(current));
  return { kind, user_id, username: username ?? "", previous: { server_id, channel_id }, state };
}
