import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDataFolder, openSecrets } from "./data-folder.js";

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "data-folder-"));
});
afterEach(() => rm(parent, { recursive: true }));

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test("the data folder lets others pass through, but not look into private folders", async () => {
  const path = join(parent, "deep", ".data");
  const folder = await openDataFolder(path);
  expect(await modeOf(path)).toBe("711");
  expect(await modeOf(folder.uploads)).toBe("700");
  expect(await modeOf(folder.redis)).toBe("700");
});

test("one sentence says that the data folder cannot be written", async () => {
  const file = join(parent, "file");
  await writeFile(file, "");
  await expect(openDataFolder(join(file, ".data"))).rejects.toThrow(
    `The data folder ${join(file, ".data")} cannot be written (ENOTDIR): make it writable, or choose another one with PARLEY_DATA_DIR.`,
  );
});

test("secrets are made once, readable by the owner only, and found again", async () => {
  const first = await openSecrets(parent);
  expect(first.jwtSecret.length).toBeGreaterThanOrEqual(32);
  expect(await openSecrets(parent)).toEqual(first);
  expect(await modeOf(join(parent, "secrets.json"))).toBe("600");
});

test.each(["", "{}", '{"jwtSecret":"short"}'])(
  "damaged secrets are refused instead of replaced: %j",
  async (content) => {
    await writeFile(join(parent, "secrets.json"), content);
    await expect(openSecrets(parent)).rejects.toThrow("secrets.json is damaged");
  },
);
