import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { answersFile, descriptionFile } from "./api-description.js";
import { causesFile } from "./causes-files.js";

const Description = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        responses: z.record(z.string(), z.unknown()),
        "x-events": z.array(z.string()).default([]),
      }),
    ),
  ),
});

/** The file in which whole runs keep the output of tests; other runs print to the terminal. */
function say(line: string): void {
  const notes = process.env.PARLEY_TEST_NOTES;
  if (notes === undefined) process.stdout.write(`${line}\n`);
  else appendFileSync(notes, `${line}\n`);
}

/**
 * Prints how many endpoints of the API description gave every status that they declare in this run, and which statuses
 * of the others are left, and which declared events nothing caused. Prints nothing after a run of a few test files.
 */
export function reportAnswers(folder: string): void {
  if (![descriptionFile, answersFile, causesFile].every((name) => existsSync(join(folder, name)))) return;
  const { paths } = Description.parse(JSON.parse(readFileSync(join(folder, descriptionFile), "utf8")));
  const seen = new Set(readFileSync(join(folder, answersFile), "utf8").split("\n"));
  const endpoints = Object.values(paths).flatMap((methods) => Object.values(methods));
  const missing = endpoints.flatMap(({ operationId, responses }) => {
    const statuses = Object.keys(responses).filter((status) => status !== "default");
    const left = statuses.filter((status) => !seen.has(`${operationId} ${status}`));
    return left.length === 0 ? [] : [`${operationId} (${left.join(", ")})`];
  });
  const complete = endpoints.length - missing.length;
  if (complete <= endpoints.length / 2) return;
  say(`Endpoints described: ${endpoints.length}; every declared status answered: ${complete}`);
  const caused = new Set(readFileSync(join(folder, causesFile), "utf8").split("\n"));
  const uncaused = endpoints.flatMap(({ operationId, "x-events": events }) => {
    const left = events.filter((event) => !caused.has(`${operationId} ${event}`));
    return left.length === 0 ? [] : [`${operationId} (${left.join(", ")})`];
  });
  if (uncaused.length > 0) say(`Declared, not caused in this run: ${uncaused.join(", ")}`);
  if (missing.length > 0) say(`Not answered in this run: ${missing.join(", ")}`);
}
