import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const document = readFileSync(join(root, "docs", "benchmarks.md"), "utf8");
const names: Readonly<Record<string, string>> = {
  "application/json": "JSON",
  "multipart/form-data": "multipart",
  "application/octet-stream": "bytes",
};
const Operation = z.object({
  description: z.string().optional(),
  requestBody: z.unknown().optional(),
  "x-body-bytes": z.record(z.string(), z.number()).optional(),
});
const sizeOf = (bytes: number) => (bytes < 1024 * 1024 ? `${bytes / 1024} KB` : `${bytes / 1024 / 1024} MB`);

test("the table of bodies has every endpoint that reads one, with each type and its largest size", () => {
  const table = document.slice(document.indexOf('<a id="bodies"></a>'));
  const rows = [...table.matchAll(/^\| ([A-Z]+ \/\S*) \| (\w+) \| (\d+ [KM]B) \|/gm)].map((cells) =>
    cells.slice(1).join(" | "),
  );
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), Operation)) })
    .parse(JSON.parse(readFileSync(join(root, "packages", "api-description", "generated", "openapi.json"), "utf8")));
  const described = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        route: `${method.toUpperCase()} ${path}`,
      })),
    )
    .filter(({ requestBody, description }) => requestBody && !description?.startsWith("The same endpoint as "))
    .flatMap(({ route, "x-body-bytes": bounds = {} }) => {
      const types = Object.entries(bounds);
      if (types.length === 0) throw new Error(`${route} reads a body without a bound.`);
      return types.map(([type, bytes]) => [route, names[type] ?? "form", sizeOf(bytes)].join(" | "));
    });
  expect(described.length).toBeGreaterThan(90);
  expect(rows.toSorted()).toEqual(described.toSorted());
});
