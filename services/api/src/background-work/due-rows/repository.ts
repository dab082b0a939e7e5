import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { firstAnswerSeconds, unansweredSeconds } from "../../resources/interactions/limits.js";

/** Rows of the jobs that must begin soon after another process has noted them. An index answers each. */
const conditions = {
  banPurges: "SELECT FROM ban_purges WHERE due_at <= now()",
  interactions: `SELECT FROM interactions
      WHERE due_at <= now() + make_interval(secs => ${firstAnswerSeconds - unansweredSeconds})
    UNION ALL SELECT FROM interactions WHERE announce_at <= now()`,
  linkCards: "SELECT FROM preview_tasks WHERE due_at <= now()",
  memberAnnouncements: "SELECT FROM member_announcements WHERE due_at <= now()",
} as const;

/** A job that begins when its rows are due. */
export type DueJob = keyof typeof conditions;
const jobs = Object.keys(conditions) as DueJob[];

const dueStatement = defineStatement({
  name: "jobs_due",
  text: `SELECT ${jobs.map((job) => `EXISTS (${conditions[job]}) AS "${job}"`).join(",\n    ")}`,
  row: z.object(Object.fromEntries(jobs.map((job) => [job, z.boolean()])) as Record<DueJob, z.ZodBoolean>),
});

/** Jobs with rows that are due. */
export async function findDueJobs(connection: Pick<Queryable, "query">): Promise<DueJob[]> {
  const [due] = await connection.query(dueStatement, []);
  return jobs.filter((job) => due?.[job]);
}
