/** Times of the mails about missed messages (docs/protocol/notifications.md#26.3). Tests shorten them. */
export interface MailTimes {
  /** Interval of each process's look for missed messages, and for due mails. */
  intervalMs: number;
  /**
   * Messages are looked at when they are this old. The id of a message is as old as its statement, which ends before it is
   * committed: a transaction that took longer than this would hide its message, and both end before.
   */
  lagSeconds: number;
  /** Least age of the first message in a mail, and the pause between two mails of kind `mentions`. */
  waitSeconds: number;
  pauseSeconds: number;
  /** How long a process has a mail to itself: longer than sending it may take. One that has died delays it by as much. */
  leaseSeconds: number;
}

export const mailTimes: MailTimes = {
  intervalMs: 5_000,
  lagSeconds: 30,
  waitSeconds: 15 * 60,
  pauseSeconds: 60 * 60,
  leaseSeconds: 5 * 60,
};

/** Messages that one statement looks through, and accounts that one statement plans. */
export const collectMax = 5_000;
export const planMax = 500;

/** Mails that a process makes and sends at a time. */
export const mailsAtATimeMax = 2;

/** Pauses after the attempts that failed; after one more a mail is given up. */
export const retrySeconds = [60, 5 * 60, 15 * 60, 60 * 60, 3 * 60 * 60] as const;

/** Local time of the daily mail. */
export const dailyTime = "08:00";

/** Missed messages that one mail looks at. */
export const missedMax = 1_000;
/** Messages, and conversations, that a mail lists; for the rest it gives their number. */
export const listedMax = 20;
/** Characters of a message that a mail shows. */
export const excerptMax = 200;

/** Messages with the most reactions that a daily mail lists, out of so many of each channel that is looked at. */
export const reactedMax = 5;
export const reactedPerChannelMax = 5;
/** Messages of a channel whose reactions are counted: the newest of the last day. */
export const reactedCountedMax = 10_000;
/** Messages with reactions, of all servers of an account, among which those in channels that it may view are taken. */
export const reactedLookedAtMax = 500;
/** For how long the counts of a server serve all accounts of it. */
export const reactedKeptMs = 10 * 60_000;
