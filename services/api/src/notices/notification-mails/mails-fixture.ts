import { connectDatabase } from "@parley/database/prisma";
import { type Closable, createLogger } from "@parley/service-runtime";
import {
  createClient,
  createMailReaders,
  type MailReader,
  type ReceivedMail,
  type SharedStack,
  sharedStackWithoutMail,
  startSmtp,
} from "@parley/testing";
import { Registry } from "prom-client";
import type { Job } from "../../platform/jobs/job.js";
import { createJobCounts, runJob } from "../../platform/jobs/run-job.js";
import { createMailer } from "../../platform/mail/send-mail.js";
import { collectMissed, planDaily, sendMails } from "./job.js";
import { mailTimes } from "./limits.js";

/** Address of the installation in its mails. */
export const publicUrl = "https://chat.example.com";
const logger = createLogger({ service: "api", level: "silent", nodeId: "test" });
const intervalMs = 50;

/** The jobs of one api process. */
interface Jobs {
  plan(): Closable;
  collect(): Closable;
  send(): Closable;
  close(): Promise<unknown>;
}

/**
 * The jobs of two apis about missed messages, on the database of a stack whose api has no mail server and does without.
 * They run while a test waits for their effect, so they never look at a message before the test wants it.
 *
 * @param options.accept called by the mail server before it takes a mail
 */
export async function startMailStage(
  options: { accept?: (mail: ReceivedMail) => Promise<void>; knowsUrl?: boolean } = {},
) {
  const { knowsUrl = true, ...server } = options;
  const stack = await sharedStackWithoutMail();
  const smtp = await startSmtp(server);
  const client = createClient(stack.edgeUrl, { prefix: "/api" });
  const readers = createMailReaders({ client, databaseUrl: stack.databaseUrl, smtp });
  const start = () => startProcess(stack, { smtpUrl: smtp.url, publicUrl: knowsUrl ? `${publicUrl}/` : undefined });
  const processes = await Promise.all([start(), start()]);

  /** Lets every process do this until it is done. */
  const doing = async (jobs: readonly ("plan" | "collect" | "send")[], isDone: () => Promise<unknown>) => {
    const running = processes.flatMap((process) => jobs.map((job) => process[job]()));
    try {
      await isDone();
    } finally {
      await Promise.all(running.map((job) => job.close()));
    }
  };

  return {
    ...readers,
    stack,
    client,
    doing,
    untilCollected: () => doing(["collect"], () => readers.collected()),
    untilSettled: (settled: readonly MailReader[]) => doing(["plan", "send"], () => readers.settled(settled)),
    async stop() {
      await Promise.all(processes.map((process) => process.close()));
      await readers.stop();
      await smtp.stop();
    },
  };
}

export type MailStage = Awaited<ReturnType<typeof startMailStage>>;

async function startProcess(
  { databaseUrl: url, jwtSecret }: SharedStack,
  { smtpUrl, publicUrl: address }: { smtpUrl: string; publicUrl: string | undefined },
): Promise<Jobs> {
  const database = await connectDatabase({ url, poolMax: 4, applicationName: "mails test", logger });
  const mailer = createMailer({
    config: { SMTP_URL: smtpUrl, MAIL_FROM: "Parley <parley@localhost>" },
    logger,
    readFace: async () => ({ name: null, logo: null }),
  });
  if (mailer === null) throw new Error("The mail server has an address");
  const config = { JWT_SECRET: jwtSecret, JWT_SECRET_PREVIOUS: undefined };
  const options = { database, logger, times: { ...mailTimes, intervalMs } };
  const due = { subscribe: () => () => undefined };
  const run = (job: Job) => runJob(job, { due, counts: createJobCounts(new Registry()), logger });
  // Nothing is being committed while a test waits, so messages are old enough at once.
  const collecting = { ...options, times: { ...options.times, lagSeconds: 0 } };
  return {
    plan: () => run(planDaily(options)),
    collect: () => run(collectMissed(collecting)),
    send: () => run(sendMails({ ...options, mailer, registry: new Registry(), config, publicUrl: address })),
    async close() {
      await mailer.close();
      await database.close();
    },
  };
}
