import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clientEventNames } from "@parley/contracts";
import { expect, test } from "vitest";
import { z } from "zod";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const document = readFileSync(join(root, "docs", "interface.md"), "utf8");

/** Methods and paths as the document writes them, with `{}` for each parameter: "GET /servers/{}". */
function documentedOperations(): Set<string> {
  const found = [
    ...document.matchAll(
      /\b((?:GET|HEAD|POST|PUT|PATCH|DELETE)(?:(?:, | and |\/)(?:GET|HEAD|POST|PUT|PATCH|DELETE))*)`? `?(\/[\w/:@.-]*)/g,
    ),
  ];
  return new Set(
    found.flatMap(([, methods = "", path = ""]) =>
      methods.split(/, | and |\//).map((method) => `${method} ${path.replace(/:\w+/g, "{}")}`),
    ),
  );
}

test("every endpoint stands in the document of the interface", () => {
  const documented = documentedOperations();
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), z.object({ description: z.string().optional() }))) })
    .parse(JSON.parse(readFileSync(join(root, "packages", "api-description", "generated", "openapi.json"), "utf8")));
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { description }]) => !description?.startsWith("The same endpoint as "))
      .map(([method]) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "{}")}`),
  );
  expect(described.length).toBeGreaterThan(100);
  expect(documented.size).toBeGreaterThan(100);
  expect(described.filter((operation) => !documented.has(operation))).toEqual([]);
});

test("every event stands in the document of the interface", () => {
  const rows = [...document.matchAll(/^\| ([A-Z_, ]+) \|/gm)].flatMap(([, names = ""]) => names.split(", "));
  expect(clientEventNames.filter((name) => !rows.includes(name))).toEqual([]);
});

test("the list of contents has every section, by its heading", () => {
  const headings = [...document.matchAll(/^## (\d+)\. (.+)$/gm)].map(
    ([, number, title]) => `[${number} ${title}](#${number})`,
  );
  const contents = document.slice(0, document.indexOf("\n---")).replaceAll("\n", " ");
  expect(headings.length).toBeGreaterThan(20);
  expect(headings.filter((entry) => !contents.includes(entry))).toEqual([]);
});
