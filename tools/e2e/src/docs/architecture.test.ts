import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const file = join(root, "docs", "architecture.md");
const source = "services/api/src";

/** Which domains of the api import from which. */
function importsOfDomains(): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  const files = execFileSync("git", ["ls-files", source], { cwd: root, encoding: "utf8" }).split("\n");
  for (const path of files.filter((name) => /(?<!\.test|-fixture)\.ts$/.test(name))) {
    const [domain = "", inner] = path.slice(source.length + 1).split("/");
    if (inner === undefined || statSync(join(root, path), { throwIfNoEntry: false }) === undefined) continue;
    const own = imports.get(domain) ?? new Set();
    imports.set(domain, own);
    for (const [, way = ""] of readFileSync(join(root, path), "utf8").matchAll(/from "(\.[^"]+)"/g)) {
      const [target = "", rest] = join(path, "..", way)
        .slice(source.length + 1)
        .split("/");
      if (rest !== undefined && target !== domain) own.add(target);
    }
  }
  return imports;
}

/** The imports as a picture, without those that others imply. */
function picture(imports: ReadonlyMap<string, ReadonlySet<string>>): string {
  const reaches = (from: string, to: string): boolean =>
    [...(imports.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  const arrows = [...imports].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((other) => other !== to && reaches(other, to)))
      .map((to) => `  ${from} --> ${to}`),
  );
  return ["```mermaid", "flowchart TB", ...arrows.toSorted(), "```"].join("\n");
}

test("the picture of the api's domains shows their imports", () => {
  const imports = importsOfDomains();
  expect(imports.size).toBeGreaterThan(10);
  const written = readFileSync(file, "utf8");
  const expected = written.replace(
    /(<!-- domains -->\n)[\s\S]*?(<!-- \/domains -->)/,
    (_, start: string, end: string) => `${start}\n${picture(imports)}\n\n${end}`,
  );
  if (process.env.UPDATE_ARCHITECTURE === "1") writeFileSync(file, expected);
  else expect(written, "UPDATE_ARCHITECTURE=1 npx vitest run --project docs architecture").toBe(expected);
});

test.each([
  ["docs/architecture.md", 15_000],
  ["README.md", 8_000],
])("%s can be read in one go", (document, bytes) => {
  expect(statSync(join(root, document)).size).toBeLessThanOrEqual(bytes);
});

test("every decision is in the list, and says what would change it", () => {
  const folder = join(root, "docs", "decisions");
  const records = readdirSync(folder).filter((name) => name !== "README.md");
  const list = readFileSync(join(folder, "README.md"), "utf8");
  const parts = ["**Context.** ", "**Decision.** ", "**Figures.** ", "**What would change it.** "];
  const isWhole = (name: string) => {
    const [number = ""] = name.split("-");
    const text = readFileSync(join(folder, name), "utf8");
    const [, title = ""] = /^# (.+)$/m.exec(text) ?? [];
    const listed = `| ${Number(number)} | [${title.slice(title.indexOf(" ") + 1)}](${name}) |`;
    return list.includes(listed) && parts.every((part) => text.includes(`\n${part}`));
  };
  expect(records.length).toBeGreaterThan(20);
  expect(records.filter((name) => !isWhole(name))).toEqual([]);
});
