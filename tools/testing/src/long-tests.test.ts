import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { longTests } from "./long-tests.js";

const root = join(import.meta.dirname, "..", "..", "..");

test("every long test is in the table, and every line of the table is a file", () => {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "*.long.test.ts", "*.long.test.tsx"];
  const files = execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
  const present = files.filter((file) => existsSync(join(root, file)));
  expect(longTests.map(({ file }) => file).sort()).toEqual(present.sort());
});

test("the short case of every long test is there, and npm test runs it", () => {
  const missing = longTests.flatMap(({ file, shortCases }) =>
    shortCases
      .filter((short) => short.file.includes(".long.test.") || !hasCase(short))
      .map((short) => `${file}: ${short.file} has no ${JSON.stringify(short.name)}`),
  );
  expect(missing).toEqual([]);
});

/** Whether the source has the name as a string; a name in a template is given as it stands there. */
function hasCase({ file, name }: { file: string; name: string }): boolean {
  const path = join(root, file);
  if (!existsSync(path)) return false;
  const source = readFileSync(path, "utf8");
  return ['"', "'", "`"].some((quote) => source.includes(`${quote}${name}${quote}`));
}
