import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const read = (...path: string[]) => readFileSync(join(root, ...path), "utf8");

/** The patterns of the edge's map from a path to its logged form; the first that matches decides, as in nginx. */
const [, map = ""] = /map \$uri \$logged_path \{([\s\S]*?)default/.exec(read("deploy", "nginx", "nginx.conf")) ?? [];
const patterns = [...map.matchAll(/"~\*(.+)"\s+(\S+);/g)].map(([, pattern = "", logged = ""]) => ({
  pattern: new RegExp(pattern, "i"),
  logged,
}));

function loggedPath(path: string): string {
  for (const { pattern, logged } of patterns) {
    const match = pattern.exec(path);
    if (match !== null) return logged.replace(/\$(\w+)/g, (_, name: string) => match.groups?.[name] ?? "");
  }
  return path;
}

const { paths } = z
  .object({ paths: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(read("packages", "api-description", "generated", "openapi.json")));
const secretPaths = Object.keys(paths).filter((path) => /\{(?:token|code)\}/.test(path));

test("the edge logs no path with the token or the code in it", () => {
  expect(secretPaths.length).toBeGreaterThanOrEqual(8);
  for (const path of [...secretPaths, "/app/invite/{code}"]) {
    const [before = "", after = ""] = path.replace(/\{id\}/, "some-id").split(/\{(?:token|code)\}/);
    for (const prefix of path.startsWith("/app/") ? [""] : ["", "/api"]) {
      expect(loggedPath(`${prefix}${before}s3cret.code~%${after}`)).toBe(`${prefix}${before}-${after}`);
    }
  }
});

test("the edge logs all other paths as they are", () => {
  const others = Object.keys(paths).filter((path) => !secretPaths.includes(path) && !path.startsWith("/mail/"));
  expect(others.length).toBeGreaterThan(100);
  for (const path of [...others, "/", "/app/channels/x", "/ws"]) expect(loggedPath(path)).toBe(path);
});
