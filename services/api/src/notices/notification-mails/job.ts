import { jwtSecrets } from "@parley/auth";
import type { Database } from "@parley/database/prisma";
import type { Logger } from "@parley/service-runtime";
import { Counter, Gauge, type Registry } from "prom-client";
import type { Config } from "../../config.js";
import { type Job, untilNone } from "../../platform/jobs/job.js";
import type { Mailer } from "../../platform/mail/send-mail.js";
import {
  collect,
  collectDirectStatement,
  collectMentionsStatement,
  lockMarks,
  moveMarks,
} from "./collect-repository.js";
import { claimMail, countWaiting, findUnplanned, plan } from "./due-repository.js";
import { collectMax, dailyTime, type MailTimes, mailsAtATimeMax, mailTimes, planMax } from "./limits.js";
import { nextDailyTime } from "./local-time.js";
import { createMakeMail } from "./make-mail.js";
import { createFindMostReacted } from "./most-reacted.js";
import { createSendDue, type Outcome } from "./send-due.js";
import { createUnsubscribeTokens } from "./unsubscribe-tokens.js";

interface Options {
  database: Database;
  times?: MailTimes;
}

/** Sets when daily mails are due for which no time is set. Every process does so. */
export function planDaily({ database, times = mailTimes }: Options): Job {
  return {
    name: "daily mails",
    causes: [],
    when: { everyMs: times.intervalMs },
    sizeMax: planMax,
    async batch({ size }) {
      const unplanned = await findUnplanned(database, size);
      const now = new Date();
      await plan(
        database,
        unplanned.map(({ user_id, timezone, sent_at }) => ({
          user_id,
          timezone,
          due_at: nextDailyTime(timezone, dailyTime, now, sent_at),
        })),
      );
      return { rows: unplanned.length, more: unplanned.length === size };
    },
  };
}

/**
 * Looks for new messages that accounts with mails have missed, and sets when their mails are due. One process does so
 * at a time: the marks of the last look move in the transaction that stores the missed messages, so each message is
 * looked at once, whichever process dies.
 */
export function collectMissed({ database, times = mailTimes }: Options): Job {
  const { intervalMs, lagSeconds, waitSeconds, pauseSeconds } = times;
  return {
    name: "missed messages",
    causes: [],
    when: { everyMs: intervalMs },
    sizeMax: collectMax,
    batch: ({ size }) =>
      database.transaction(async (transaction) => {
        const marks = await lockMarks(transaction, lagSeconds);
        if (marks === null) return untilNone(0);
        const range = { until: marks.until, size, waitSeconds, pauseSeconds };
        const mentions = await collect(transaction, collectMentionsStatement, { from: marks.message_id, ...range });
        const directs = await collect(transaction, collectDirectStatement, { from: marks.dm_message_id, ...range });
        await moveMarks(transaction, mentions.mark, directs.mark);
        return { rows: mentions.rows + directs.rows, more: mentions.isMore || directs.isMore };
      }),
  };
}

/** Sends the mails that are due (docs/protocol/notifications.md#26.3). Every process does so; each mail is claimed by one. */
export function sendMails(
  options: Options & {
    logger: Logger;
    mailer: Mailer;
    registry: Registry;
    config: Pick<Config, "JWT_SECRET" | "JWT_SECRET_PREVIOUS">;
    /** Address that people reach the installation at; undefined for the one that each account used. */
    publicUrl: string | undefined;
  },
): Job {
  const { database, logger, times = mailTimes, mailer, registry, config, publicUrl } = options;
  const make = createMakeMail({
    publicUrl: publicUrl?.replace(/\/+$/, "") ?? null,
    tokens: createUnsubscribeTokens(jwtSecrets(config)),
  });
  const findMostReacted = createFindMostReacted(database);
  const sendDue = createSendDue({ database, mailer, make, findMostReacted, times, logger });
  const count = countMails(database, registry);

  return {
    name: "notification mails",
    causes: [],
    when: { everyMs: times.intervalMs },
    lanes: mailsAtATimeMax,
    async batch() {
      const due = await claimMail(database, times.leaseSeconds);
      if (due === null) return untilNone(0);
      count(await sendDue(due));
      return untilNone(1);
    },
  };
}

function countMails(database: Database, registry: Registry): (outcome: Outcome) => void {
  const mails = new Counter({
    name: "notification_mails_total",
    help: "Mails about missed messages: sent, attempts that failed and are repeated, and given up",
    labelNames: ["outcome"],
    registers: [registry],
  });
  new Gauge({
    name: "notification_mails_waiting",
    help: "Mails about missed messages that are due",
    registers: [registry],
    async collect() {
      try {
        this.set(await countWaiting(database));
      } catch {
        // Without the database the last value stays; readiness reports the outage.
      }
    },
  });
  const labels = { sent: "sent", failed: "failed", "given up": "given_up" } as const;
  // From the beginning, so that the first failure is an increase.
  for (const outcome of Object.values(labels)) mails.inc({ outcome }, 0);
  return (outcome) => {
    if (outcome !== "not sent") mails.inc({ outcome: labels[outcome] });
  };
}
