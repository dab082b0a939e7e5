import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import type { Job } from "../../platform/feature.js";

/** @returns reads the names of the jobs with rows that are due, with one statement for all of them */
export function createFindDueJobs(connection: Pick<Queryable, "query">, jobs: readonly Job[]) {
  const conditions = jobs.flatMap(({ name, due }) => (due === undefined ? [] : [`EXISTS (${due}) AS "${name}"`]));
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
