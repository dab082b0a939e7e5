import type { Database, Transaction } from "@parley/database/prisma";
import type { Logger } from "@parley/service-runtime";
import { isRefusal, type Mailer } from "../../platform/mail/send-mail.js";
import { findNotifications } from "../notifications/repository.js";
import { type Due, endMail, findFirstMissed, forgetMissed, lockMail } from "./due-repository.js";
import { dailyTime, type MailTimes, retrySeconds } from "./limits.js";
import { nextDailyTime, quietUntil } from "./local-time.js";
import type { MakeMail } from "./make-mail.js";
import { findAddress, findMissed, findMissedIds, findViewable } from "./missed-repository.js";
import type { FindMostReacted } from "./most-reacted.js";

/** Outcome of a due mail. */
export type Outcome = "sent" | "failed" | "given up" | "not sent";

const later = (date: Date, seconds: number) => new Date(date.getTime() + seconds * 1_000);

/**
 * Makes and sends a mail that this process has claimed, or finds that there is none to send.
 *
 * A mail is sent before it is stored that it was: a process that dies between the two leaves it to another one, which sends it
 * again with the same Message-ID. The other order would lose mails.
 */
export function createSendDue(options: {
  database: Database;
  mailer: Mailer;
  make: MakeMail;
  findMostReacted: FindMostReacted;
  times: MailTimes;
  logger: Logger;
}) {
  const { database, mailer, make, findMostReacted, times, logger } = options;
  const { waitSeconds, pauseSeconds } = times;

  /** Earliest time of a mail, by its first missed message. */
  const earliest = (first: Date, sentAt: Date | null): Date => {
    const waited = later(first, waitSeconds);
    const paused = sentAt === null ? waited : later(sentAt, pauseSeconds);
    return new Date(Math.max(waited.getTime(), paused.getTime()));
  };

  /** Stores how a mail ended, and when the next one is due by the settings as they are then. */
  const end = (
    due: Due,
    ended: { settled: readonly string[]; isSent: boolean; postponedTo?: Date; attempts?: number },
  ) =>
    database.transaction(async (transaction) => {
      const { user_id, sent_at, now } = due;
      const { settled, isSent, postponedTo, attempts = 0 } = ended;
      const settings = await lockMail(transaction, due);
      if (settings === null) return;
      await forgetMissed(transaction, user_id, settled);
      const sent = isSent ? now : sent_at;
      const isPostponed = settings.mail === due.mail && postponedTo !== undefined;
      const dueAt = isPostponed ? postponedTo : await nextDue(transaction, { user_id, sent_at: sent, now }, settings);
      await endMail(transaction, user_id, { dueAt, attempts, isSent });
    });

  /** When the next mail is due after one that ended. */
  const nextDue = async (
    transaction: Transaction,
    { user_id, sent_at, now }: Pick<Due, "user_id" | "sent_at" | "now">,
    { mail, timezone }: { mail: string; timezone: string },
  ): Promise<Date | null> => {
    if (mail === "daily") return nextDailyTime(timezone, dailyTime, now, sent_at);
    const first = mail === "mentions" ? await findFirstMissed(transaction, user_id) : null;
    return first === null ? null : earliest(first, sent_at);
  };

  /** Everything that the account has missed and that its settings let through; `ids` of all examined messages. */
  const gather = async (due: Due) => {
    const { user_id, now } = due;
    const ids = await findMissedIds(database, user_id);
    const email = await findAddress(database, user_id);
    if (email === null) return { ids, email, mentions: [], directs: [], reminders: [], reacted: [], settings: null };
    const settings = await findNotifications(database, user_id);
    const missed = await findMissed(database, user_id, ids);
    const channels = missed.mentions.map(({ channel_id }) => channel_id);
    const viewable = await findViewable(database, user_id, channels);
    const mentions = missed.mentions.filter(({ channel_id }) => viewable.has(channel_id));
    const reacted = due.mail === "daily" ? await findMostReacted(user_id, settings, now) : [];
    return { ids, email, mentions, directs: missed.directs, reminders: missed.reminders, reacted, settings };
  };

  /** When a mail of kind `mentions` may be sent; null for now. */
  const postponed = (
    due: Due,
    { mentions, directs, reminders, settings }: Awaited<ReturnType<typeof gather>>,
  ): Date | null => {
    if (due.mail === "daily" || settings === null) return null;
    const first = Math.min(...[...mentions, ...directs, ...reminders].map(({ missed_at }) => missed_at.getTime()));
    const from = earliest(new Date(first), due.sent_at);
    return from > due.now ? from : quietUntil(settings, due.now);
  };

  const sendOrPostpone = async (due: Due): Promise<Outcome> => {
    const contents = await gather(due);
    const { ids, email, mentions, directs, reminders, reacted } = contents;
    if (email === null || mentions.length + directs.length + reminders.length + reacted.length === 0) {
      await end(due, { settled: ids, isSent: false });
      return "not sent";
    }
    const postponedTo = postponed(due, contents);
    if (postponedTo !== null) {
      const kept = new Set([...mentions, ...directs, ...reminders].map(({ id }) => id));
      await end(due, { settled: ids.filter((id) => !kept.has(id)), isSent: false, postponedTo });
      return "not sent";
    }
    await mailer.sendNow(make(due, { email, mentions, directs, reminders, reacted }));
    await end(due, { settled: ids, isSent: true });
    return "sent";
  };

  return async (due: Due): Promise<Outcome> => {
    try {
      return await sendOrPostpone(due);
    } catch (err) {
      const pause = isRefusal(err) ? undefined : retrySeconds[due.attempts - 1];
      logger.warn({ err, user_id: due.user_id, attempts: due.attempts }, "a mail about missed messages was not sent");
      if (pause === undefined) await end(due, { settled: await findMissedIds(database, due.user_id), isSent: false });
      else await end(due, { settled: [], isSent: false, postponedTo: later(due.now, pause), attempts: due.attempts });
      return pause === undefined ? "given up" : "failed";
    }
  };
}
