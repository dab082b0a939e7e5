import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const [, walk = ""] = /\n## The walk of one message\n(.*?)\n## /s.exec(read("README.md")) ?? [];

/** The rows of the walk: a file, the export by which it is given the message, and the file that connects both, if any. */
const rows = [...walk.matchAll(/^\| (\d+) \| `([^`]+)` \| `(\w+)`(?:, by `([^`]+)`)? \| (.+) \|$/gm)].map(
  ([, number, file = "", given = "", connectedBy, does = ""]) => ({
    number: Number(number),
    file,
    given,
    connectedBy,
    names: [...does.matchAll(/\*(\w+)\*/g)].map(([, name = ""]) => name),
  }),
);

const mentions = (file: string, name: string) => new RegExp(`\\b${name}\\b`).test(read(file));
const exportOf = (name: string) =>
  new RegExp(`^export (?:async )?(?:function|class|type|interface|const) ${name}\\b`, "m");

test("the walk of a message has at most 14 files and seven names", () => {
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.length).toBeLessThanOrEqual(14);
  expect(new Set(rows.map(({ file }) => file)).size).toBe(rows.length);
  expect(rows.flatMap(({ names }) => names).length).toBeLessThanOrEqual(7);
});

test.each(rows)(
  "$file exports $given and has the message under the names that begin there",
  ({ file, given, names }) => {
    expect(read(file)).toMatch(exportOf(given));
    expect(names.filter((name) => !mentions(file, name))).toEqual([]);
  },
);

test.each(rows.slice(1))(
  "an earlier file, or the one that connects both, uses $given",
  ({ number, given, connectedBy }) => {
    const earlier = rows.slice(0, number - 1).map(({ file }) => file);
    expect((connectedBy === undefined ? earlier : [connectedBy]).filter((file) => mentions(file, given))).not.toEqual(
      [],
    );
  },
);

test("every file that the walk speaks of exists", () => {
  const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  const named = [...walk.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(rows.length);
  expect(named.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
});
