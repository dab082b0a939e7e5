import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { longTests, randomTests } from "../../../testing/src/long-tests.js";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const filesOf = (pattern: string) =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", pattern], {
    cwd: root,
    encoding: "utf8",
  })
    .split("\n")
    .filter((file) => file !== "" && existsSync(join(root, file)));

test("every long test is in the table, and every line of the table is a file", () => {
  const named = new Set(longTests.map(({ file }) => file));
  expect([...named].sort()).toEqual(filesOf("*.long.test.*").sort());
});

test("the short case of every long test is there, and npm test runs it", () => {
  const missing = longTests.filter(({ short }) => short.file.includes(".long.test.") || !hasCase(short));
  expect(missing).toEqual([]);
});

/** Whether the source has the name as a string; a name in a template is given as it stands there. */
function hasCase({ file, name }: { file: string; name: string }): boolean {
  const path = join(root, file);
  if (!existsSync(path)) return false;
  const source = readFileSync(path, "utf8");
  return ['"', "'", "`"].some((quote) => source.includes(`${quote}${name}${quote}`));
}

test("the models run again with another seed", () => {
  expect(randomTests(root)).toContain("services/gateway/src/passive/model.test.ts");
  expect(randomTests(root)).toContain("packages/presence/src/presence-model.test.ts");
});
