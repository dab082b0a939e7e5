import { type Database, defineStatement } from "@parley/database";
import { type Closable, type Logger, repeat } from "@parley/service-runtime";
import { z } from "zod";
import type { DueRows } from "../load/start-repeating.js";
import { firstAnswerSeconds, unansweredSeconds } from "../resources/interactions/limits.js";

/** How often each process asks whether rows are due. */
const lookIntervalMs = 200;

/** Rows of the jobs that must begin soon after another process has noted them. An index answers each. */
const conditions = {
  banPurges: "SELECT FROM ban_purges WHERE due_at <= now()",
  interactions: `SELECT FROM interactions
      WHERE due_at <= now() + make_interval(secs => ${firstAnswerSeconds - unansweredSeconds})
    UNION ALL SELECT FROM interactions WHERE announce_at <= now()`,
  linkCards: "SELECT FROM preview_tasks WHERE due_at <= now()",
  memberAnnouncements: "SELECT FROM member_announcements WHERE due_at <= now()",
} as const;
type Job = keyof typeof conditions;
const jobs = Object.keys(conditions) as Job[];

const dueStatement = defineStatement({
  name: "jobs_due",
  text: `SELECT ${jobs.map((job) => `EXISTS (${conditions[job]}) AS "${job}"`).join(",\n    ")}`,
  row: z.object(Object.fromEntries(jobs.map((job) => [job, z.boolean()])) as Record<Job, z.ZodBoolean>),
});

/**
 * Asks every {@link lookIntervalMs}, with one statement for all jobs, which of them have rows that are due. An idle
 * process would spend most of its time on a claim of each job otherwise.
 */
export function watchDueRows({ database, logger }: { database: Pick<Database, "query">; logger: Logger }) {
  const begins = new Map<Job, () => void>();
  const look = async () => {
    const [due] = await database.query(dueStatement, []);
    for (const [job, begin] of begins) if (due?.[job]) begin();
  };
  const stop = repeat(
    () => look().catch((err: unknown) => logger.warn({ err }, "the rows that are due could not be read")),
    lookIntervalMs,
  );
  const of = (job: Job): DueRows => ({
    subscribe(begin) {
      begins.set(job, begin);
      return () => begins.delete(job);
    },
  });
  return { of, close: stop } satisfies Closable & { of: unknown };
}
