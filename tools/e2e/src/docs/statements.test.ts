import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const files = execFileSync("git", ["ls-files", "services/api/src"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => /(?<!\.test)\.ts$/.test(file) && existsSync(join(root, file)));

/** A prepared statement, a query of Prisma, or SQL in a text. */
const statement = /\bdefineStatement\(|\bprisma\.\$?\w|`[^`]*\b(SELECT|INSERT INTO|UPDATE \w+|DELETE FROM)\s/;
const withoutComments = (source: string) => source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
const hasStatement = (file: string) => statement.test(withoutComments(readFileSync(join(root, file), "utf8")));
const isRepository = (file: string) => /\/([a-z]+-)?repository\.ts$/.test(file);

test("statements of the api stand in its repositories (docs/processes/api.md#data)", () => {
  expect(files.filter((file) => hasStatement(file) && !isRepository(file))).toEqual([]);
});

test("every repository of the api has statements", () => {
  const repositories = files.filter(isRepository);
  expect(repositories.length).toBeGreaterThan(30);
  expect(repositories.filter((file) => !hasStatement(file))).toEqual([]);
});
