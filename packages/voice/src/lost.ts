import type { Database } from "@parley/database";
import type { Outbox } from "@parley/outbox";
import type { RedisConnection } from "@parley/redis";
import { announce, findOvertaken } from "./announce.js";
import {
  type Announcement,
  type AnnouncementKey,
  announcementsAfter,
  stillTold,
  tell,
  textOf,
} from "./announcements.js";
import { type Change, StoredState } from "./change.js";
import { placesOf } from "./events.js";
import { lostBatchMax, unsaidReadMax } from "./limits.js";
import { scriptRunner } from "./run-script.js";
import { scripts } from "./scripts.js";

/**
 * Announces the end of voice states and broadcasts that Redis has lost, by a FLUSHALL or because it restarted without
 * its newest data. The table `voice_announcements` has what clients were sent last.
 */
export interface LostVoice {
  /**
   * Compares the next {@link lostBatchMax} announcements with Redis. Where they differ and Redis has no unconfirmed
   * change (`voice:unsaid`) of the same state, it announces the state in Redis. Repeats this with the following
   * announcements while a full batch had such ones. Any number of processes may call it at the same time.
   *
   * @returns number of announced corrections
   * @throws when Redis or the database is out of reach
   */
  announceLost(): Promise<number>;
}

const beforeAll: AnnouncementKey = {
  channel_id: "00000000-0000-0000-0000-000000000000",
  user_id: "00000000-0000-0000-0000-000000000000",
  kind: "go_live",
};

/** Creates the search of one process, which starts at the first announcement. */
export function createLostVoice(options: { database: Database; redis: RedisConnection; outbox: Outbox }): LostVoice {
  const { database, outbox } = options;
  const run = scriptRunner(options.redis);
  let after = beforeAll;

  const truthsInstead = (announcements: readonly Announcement[]) =>
    run(scripts.lost, [
      unsaidReadMax,
      ...announcements.flatMap(({ kind, channel_id, user_id }) => [kind, channel_id, user_id]),
    ]);

  async function findLost(announcements: readonly Announcement[]): Promise<Lost[]> {
    const truths = await truthsInstead(announcements);
    return announcements.flatMap((announcement, index) => {
      const truth = truths[index];
      return truth === undefined || truth === "" ? [] : [{ announcement, truth, change: endOf(announcement, truth) }];
    });
  }

  /**
   * The transaction holds the lock of the channel's ordering key, without which no process writes announcements of the
   * channel. It compares once more under this lock, so a join in between is not undone: its own announcement comes
   * after the transaction. The script only reads Redis, so it may run again when the transaction is retried.
   */
  async function end(lost: readonly Lost[]): Promise<number> {
    const ended = await outbox.transaction(
      lost.flatMap(({ change }) => placesOf(change)),
      async (transaction, emit) => {
        const announcements = lost.map(({ announcement }) => announcement);
        const told = await stillTold(transaction, announcements);
        const truths = await truthsInstead(announcements);
        const due = lost.flatMap(({ announcement, truth, change }, index) =>
          told.has(textOf(announcement)) && truths[index] === truth ? [change] : [],
        );
        await tell(transaction, emit, due);
        return due;
      },
    );
    // These changes are not in `voice:unsaid`, so there is no text to remove from it.
    const overtaken = await findOvertaken(
      run,
      ended.map((change) => ({ text: "", change })),
    );
    await announce({ outbox, run }, overtaken);
    return ended.length;
  }

  return {
    async announceLost() {
      let count = 0;
      for (let goOn = true; goOn; ) {
        const page = await announcementsAfter(database, after, lostBatchMax);
        const lost = page.length === 0 ? [] : await findLost(page);
        for (const channelId of new Set(lost.map(({ announcement }) => announcement.channel_id))) {
          count += await end(lost.filter(({ announcement }) => announcement.channel_id === channelId));
        }
        const last = page.length < lostBatchMax ? undefined : page.at(-1);
        after = last ?? beforeAll;
        goOn = last !== undefined && lost.length > 0;
      }
      return count;
    },
  };
}

interface Lost {
  announcement: Announcement;
  /** JSON of the state in Redis; "null" when there is none. */
  truth: string;
  change: Change;
}

/** The change that brings clients from an announcement to the state in Redis. */
function endOf({ kind, server_id, channel_id, user_id, username }: Announcement, truth: string): Change {
  if (kind === "go_live") return { kind, server_id, channel_id, broadcaster_id: user_id, session: null };
  const state = StoredState.nullable().parse(JSON.parse(truth));
  return { kind, user_id, username: username ?? "", previous: { server_id, channel_id }, state };
}
