import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describeGateway } from "@parley/contracts/gateway-description";
import { expect, test } from "vitest";
import { ApiDescription } from "./reference/endpoints.js";
import { referencePages } from "./reference/pages.js";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const folder = join(root, "docs", "reference");

test("the reference says what the declarations say", async () => {
  const description = join(root, "packages", "api-description", "generated", "openapi.json");
  const api = ApiDescription.parse(JSON.parse(await readFile(description, "utf8")));
  const pages = referencePages(api, describeGateway());
  const written = await filesOf(folder);
  if (process.env.UPDATE_REFERENCE === "1") {
    await Promise.all(written.filter((file) => !pages.has(file)).map((file) => rm(join(folder, file))));
    await Promise.all([...pages].map(([file, text]) => writePage(join(folder, file), text)));
    return;
  }
  expect(written.toSorted()).toEqual([...pages.keys()].toSorted());
  const stale: string[] = [];
  for (const [file, text] of pages) if ((await readFile(join(folder, file), "utf8")) !== text) stale.push(file);
  expect(stale, "UPDATE_REFERENCE=1 npx vitest run --project docs reference").toEqual([]);
});

async function writePage(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true });
  return entries.filter((name) => name.endsWith(".md"));
}
