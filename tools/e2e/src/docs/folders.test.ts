import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..", "..", "..");
/** Source files, without generated ones. */
const files = execFileSync("git", ["ls-files", "services", "packages"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => /^\w+\/[\w-]+\/src\/.*(?<!\.test|-fixture)\.tsx?$/.test(file) && existsSync(join(root, file)));
const sources = [...new Set(files.map((file) => file.split("/").slice(0, 3).join("/")))];

/** Which folders import from which; the files beside them wire the process together and are no folder. */
function importsBetweenFolders(source: string): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const file of files.filter((candidate) => candidate.startsWith(`${source}/`))) {
    const folder = relative(source, dirname(file));
    for (const [, path = ""] of readFileSync(join(root, file), "utf8").matchAll(/from "(\.[^"]+)"/g)) {
      const target = dirname(normalize(join(folder, path)));
      if (folder === "" || target === "." || target === folder) continue;
      imports.set(folder, (imports.get(folder) ?? new Set()).add(target));
    }
  }
  return imports;
}

test.each(sources)("the folders of %s import one way", (source) => {
  const imports = importsBetweenFolders(source);
  const reachable = (from: string, seen = new Set<string>()): Set<string> => {
    for (const to of imports.get(from) ?? []) {
      if (!seen.has(to)) reachable(to, seen.add(to));
    }
    return seen;
  };
  expect([...imports.keys()].filter((folder) => reachable(folder).has(folder))).toEqual([]);
});

/** The settings, among the files beside the domains, belong to the lowest; the others wire the process. */
const settings = ["config.ts", "version.ts"];

test("a domain of the api imports from domains below it only", () => {
  const source = "services/api/src";
  const documented = readFileSync(join(root, "docs", "architecture.md"), "utf8");
  const [, block = ""] = /```order\n([^`]*)```/.exec(documented) ?? [];
  const order = block.trimEnd().split("\n");
  const domainOf = (path: string): string => {
    if (settings.some((name) => path === name || path === name.replace(/ts$/, "js"))) return order.at(-1) ?? "";
    return path.includes("/") ? (path.split("/")[0] ?? "") : "";
  };
  const own = files.filter((file) => file.startsWith(`${source}/`)).map((file) => relative(source, file));
  expect(new Set(own.map(domainOf).filter((domain) => domain !== ""))).toEqual(new Set(order));
  const upwards = own.flatMap((file) => {
    const place = order.indexOf(domainOf(file));
    const text = readFileSync(join(root, source, file), "utf8");
    const ways = [...text.matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)].map(([, way = ""]) => join(dirname(file), way));
    return place === -1
      ? []
      : ways.filter((way) => order.indexOf(domainOf(way)) < place).map((way) => `${file} → ${way}`);
  });
  expect(upwards).toEqual([]);
});

test("folders and their imports are found", () => {
  expect(importsBetweenFolders("services/gateway/src").size).toBeGreaterThan(5);
  expect(importsBetweenFolders("services/api/src").size).toBeGreaterThan(20);
  expect(importsBetweenFolders("packages/web/src").size).toBeGreaterThan(5);
});

test("only the api loads Prisma", () => {
  const users = files.filter((file) =>
    readFileSync(join(root, file), "utf8").includes('from "@parley/database/prisma"'),
  );
  expect(users.length).toBeGreaterThan(20);
  expect(users.filter((file) => !file.startsWith("services/api/"))).toEqual([]);
});

const names = (text: string) => [...text.matchAll(/`([\w-]+)\/?`/g)].map(([, name = ""]) => name);
const tablesOf = (readme: string) => names(/^Tables: [^.]*/m.exec(readme)?.[0] ?? "");
const dispatcherReadme = readFileSync(join(root, "services", "webhook-dispatcher", "README.md"), "utf8");

test("the README of each domain names its folders, and every table has one owner", () => {
  const source = join(root, "services", "api", "src");
  const own = files.filter((file) => file.startsWith("services/api/src/"));
  const folders = [...new Set(own.map((file) => relative(source, join(root, dirname(file)))))].filter((path) =>
    /^[^/]+\/[^/]+$/.test(path),
  );
  const readmes = new Map(
    [...new Set(folders.map((path) => path.split("/")[0] ?? ""))].map((domain) => [
      domain,
      readFileSync(join(source, domain, "README.md"), "utf8"),
    ]),
  );
  expect(folders.length).toBeGreaterThan(60);
  const unnamed = folders.filter((path) => {
    const [domain = "", folder = ""] = path.split("/");
    return !names(readmes.get(domain) ?? "").includes(folder);
  });
  expect(unnamed).toEqual([]);
  const elsewhere = ["outbox", "push_keys"];
  const owned = [...readmes.values(), dispatcherReadme].flatMap(tablesOf);
  const schema = readFileSync(join(root, "prisma", "schema.prisma"), "utf8");
  const tables = [...schema.matchAll(/@@map\("(\w+)"\)/g)].map(([, name = ""]) => name);
  expect([...owned, ...elsewhere].sort()).toEqual(tables.sort());
});

test("the rooms of the dispatcher are named in its README, and share what they have in common by one folder", () => {
  const imports = importsBetweenFolders("services/webhook-dispatcher/src");
  const shared = "attempts";
  expect(new Set([...imports.values()].flatMap((targets) => [...targets]))).toEqual(new Set([shared]));
  expect([...imports.keys(), shared].filter((folder) => !names(dispatcherReadme).includes(folder))).toEqual([]);
});
