import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { answersFile, descriptionFile } from "./api-description.js";

const Description = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ operationId: z.string(), responses: z.record(z.string(), z.unknown()) })),
  ),
});

/** Says how many endpoints of the API description gave every status that they declare in this run, and what is left: of a run of the whole suite. */
export function reportAnswers(folder: string): void {
  if (![descriptionFile, answersFile].every((name) => existsSync(join(folder, name)))) return;
  const { paths } = Description.parse(JSON.parse(readFileSync(join(folder, descriptionFile), "utf8")));
  const seen = new Set(readFileSync(join(folder, answersFile), "utf8").split("\n"));
  const endpoints = Object.values(paths).flatMap((methods) => Object.values(methods));
  const missing = endpoints.flatMap(({ operationId, responses }) => {
    const statuses = Object.keys(responses).filter((status) => status !== "default");
    const left = statuses.filter((status) => !seen.has(`${operationId} ${status}`));
    return left.length === 0 ? [] : [`${operationId} (${left.join(", ")})`];
  });
  const complete = endpoints.length - missing.length;
  // A few test files, or those of the containers, are no measure of the document.
  if (complete <= endpoints.length / 2) return;
  process.stdout.write(`Endpoints described: ${endpoints.length}; every declared status answered: ${complete}\n`);
  if (missing.length > 0) process.stdout.write(`Not answered in this run: ${missing.join(", ")}\n`);
}
