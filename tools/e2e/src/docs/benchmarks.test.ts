import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const names = readdirSync(join(root, "tools", "bench", "src", "benches")).map((file) => file.replace(/\.ts$/, ""));
const own = (folder: string) => readdirSync(join(root, folder)).map((file) => `${folder}/${file}`);
const documents = [
  "README.md",
  "deploy/sizing.md",
  "deploy/runbook.md",
  ...own("docs/decisions"),
  ...own("docs/processes"),
  "docs/benchmarks.md",
];

test("the table of benchmarks has every one of them once", () => {
  const text = readFileSync(join(root, "docs", "benchmarks.md"), "utf8");
  const table = text.slice(text.indexOf("| Name | Prints |"), text.indexOf("\n\n", text.indexOf("| Name | Prints |")));
  const rows = [...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name);
  expect(rows.toSorted()).toEqual(names.toSorted());
});

test("every benchmark that a document names is there", () => {
  const named = documents.flatMap((document) =>
    [...readFileSync(join(root, document), "utf8").matchAll(/npm run bench -- ([\w-]+)/g)].map(([, name = ""]) => name),
  );
  expect(named).toContain("post-message");
  expect(named.filter((name) => !names.includes(name))).toEqual([]);
});
