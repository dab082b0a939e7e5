import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import type { Job } from "../../platform/jobs/job.js";

/** @returns reads the names of the jobs with rows that are due, with one statement for all of them */
export function createFindDueJobs(connection: Pick<Queryable, "query">, jobs: readonly Job[]) {
  const conditions = jobs.flatMap(({ name, when }) => ("due" in when ? [`EXISTS (${when.due}) AS "${name}"`] : []));
  const statement = defineStatement({
    name: "jobs_due",
    text: `SELECT ${conditions.join(",\n    ")}`,
    row: z.record(z.string(), z.boolean()),
  });
  return async (): Promise<string[]> => {
    const [due = {}] = await connection.query(statement, []);
    return Object.keys(due).filter((name) => due[name]);
  };
}
