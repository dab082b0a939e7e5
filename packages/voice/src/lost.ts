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

/** Ends at the clients what Redis has lost: after a FLUSHALL, or when it came back without its newest data. */
export interface LostVoice {
  /**
   * Compares the next 500 announcements with Redis and announces the end of those that are not true and that nobody is
   * about to announce. Goes on as long as it finds such ones. Any process may call it, several at once.
   *
   * @returns how many ends it announced
   * @throws when Redis or the database is out of reach
   */
  announceLost(): Promise<number>;
}

const beforeAll: AnnouncementKey = {
  channel_id: "00000000-0000-0000-0000-000000000000",
  user_id: "00000000-0000-0000-0000-000000000000",
  kind: "go_live",
};

/** Looks after lost voice states for one process. */
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
   * Only who holds the channel's lock writes its announcements, so what is still wrong here is wrong when it is told: who
   * joins meanwhile is announced afterwards. A script that reads may run inside the transaction, however often.
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
    // These changes are not among the unconfirmed ones, so there is no text to confirm.
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
  /** JSON of what is true instead; "null" for nothing. */
  truth: string;
  change: Change;
}

/** What leads clients from an announcement to what is true. */
function endOf({ kind, server_id, channel_id, user_id, username }: Announcement, truth: string): Change {
  if (kind === "go_live") return { kind, server_id, channel_id, broadcaster_id: user_id, session: null };
  const state = StoredState.nullable().parse(JSON.parse(truth));
  return { kind, user_id, username: username ?? "", previous: { server_id, channel_id }, state };
}
