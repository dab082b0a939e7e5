import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SyntaxKind } from "typescript/unstable/ast";
import { API, type Symbol as TypeScriptSymbol } from "typescript/unstable/sync";
import { afterAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const walk = read("docs/walk.md");

/**
 * The rows of the walk: a file, the function that is called there, and the file that calls it, if it is none of the
 * rows above.
 */
const rows = [...walk.matchAll(/^\| (\d+) \| `([^`]+)` \| `(\w+)`(?: by `([^`]+)`)? \| (.+) \|$/gm)].map(
  ([, number, file = "", called = "", caller, does = ""], index, all) => ({
    number: Number(number),
    file,
    called,
    callers: caller === undefined ? all.slice(0, index).map(([, , earlier = ""]) => earlier) : [caller],
    names: [...does.matchAll(/\*(\w+)\*/g)].map(([, name = ""]) => name),
  }),
);

const api = new API({ cwd: root });
afterAll(() => api.close());
const project = (file: string) => {
  const name = join(root, file.split("/").slice(0, 2).join("/"), "tsconfig.json");
  const found = api.updateSnapshot({ openProjects: [name] }).getProject(name);
  if (found === undefined) throw new Error(`${name} is no project`);
  return found;
};

/** Functions, as opposed to their types: a call of a type may lead to any function that has it. */
const functions: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.ArrowFunction,
]);

/** The files in which the functions are that a file calls by a name, as "go to definition" finds them. */
function definitionsOf(caller: string, called: string): string[] {
  const { checker } = project(caller);
  const text = read(caller);
  const calls = [...text.matchAll(new RegExp(`(?<![\\w])${called}(?=\\()`, "g"))];
  const filesOf = (symbol: TypeScriptSymbol | undefined) =>
    (symbol?.declarations ?? []).flatMap(({ kind, path }) => (functions.has(kind) ? [sourceOf(path)] : []));
  return calls.flatMap(({ index }) => {
    const symbol = checker.getSymbolAtPosition(join(root, caller), index);
    if (symbol === undefined) return [];
    const isImport = symbol.declarations.some(({ kind }) => kind === SyntaxKind.ImportSpecifier);
    if (isImport) return filesOf(checker.getAliasedSymbol(symbol));
    const direct = filesOf(symbol);
    // A variable or parameter: the function that it was declared as the type of.
    return direct.length > 0 ? direct : filesOf(checker.getTypeOfSymbol(symbol)?.getSymbol());
  });
}

/** Packages are seen by each other as they were built. */
const sourceOf = (path: string) =>
  path.slice(root.length + 1).replace(/^(packages\/[\w-]+)\/dist\/(.+)\.d\.ts$/, "$1/src/$2.ts");

test("the walk of a message has at most 14 files and seven names", () => {
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.length).toBeLessThanOrEqual(14);
  expect(new Set(rows.map(({ file }) => file)).size).toBe(rows.length);
  expect(rows.flatMap(({ names }) => names).length).toBeLessThanOrEqual(7);
});

test.each(rows)("$file has the message under the names that begin there: $names", ({ file, names }) => {
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(read(file)))).toEqual([]);
});

test.each(rows)("the call of $called in an earlier file leads into $file", ({ file, called, callers }) => {
  expect(callers.flatMap((caller) => definitionsOf(caller, called))).toContain(file);
});

test("every file that the walk speaks of exists", () => {
  const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  const named = [...walk.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(rows.length);
  expect(named.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
});

test("no gateway parses JSON but what clients send it, and an event of the version before", () => {
  const sources = execFileSync("git", ["ls-files", "services/gateway/src", "packages/messaging/src/subscribe.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  const parsing = sources
    .split("\n")
    .filter((file) => /(?<!\.test|-fixture)\.ts$/.test(file))
    .flatMap((file) =>
      read(file)
        .split("\n")
        .filter((line) => line.includes("JSON.parse"))
        .map(() => file),
    );
  expect(parsing).toEqual(["packages/messaging/src/subscribe.ts", "services/gateway/src/session/client-messages.ts"]);
});
