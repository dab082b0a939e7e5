import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { expect, test } from "vitest";

const source = join(import.meta.dirname, "..", "..", "..", "..", "services", "gateway", "src");

/** Which folders import from which; the files beside them wire the process together and are no folder. */
function importsBetweenFolders(): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/(?<!\.test|-fixture)\.ts$/.test(entry.name)) continue;
    const folder = relative(source, entry.parentPath);
    const text = readFileSync(join(entry.parentPath, entry.name), "utf8");
    for (const [, path = ""] of text.matchAll(/from "(\.[^"]+)"/g)) {
      const target = dirname(normalize(join(folder, path)));
      if (folder === "" || target === "." || target === folder) continue;
      imports.set(folder, (imports.get(folder) ?? new Set()).add(target));
    }
  }
  return imports;
}

test("the gateway's folders import one way", () => {
  const imports = importsBetweenFolders();
  const reachable = (from: string, seen = new Set<string>()): Set<string> => {
    for (const to of imports.get(from) ?? []) {
      if (!seen.has(to)) reachable(to, seen.add(to));
    }
    return seen;
  };
  expect(imports.size).toBeGreaterThan(5);
  expect([...imports.keys()].filter((folder) => reachable(folder).has(folder))).toEqual([]);
});
