import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const text = readFileSync(join(root, "docs", "changing.md"), "utf8");

test("every file that the steps of a change name is there", () => {
  const named = [...text.matchAll(/`((?:docs|deploy|packages|prisma|services|tools)\/[^`]*)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
