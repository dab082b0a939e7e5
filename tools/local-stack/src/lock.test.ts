import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeLock } from "./lock.js";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"));
  file = join(folder, "lock");
});
afterEach(() => rm(folder, { recursive: true }));

test("the lock refuses a second holder with the first one's pid and address", async () => {
  const lock = await takeLock(file, "http://localhost:8080");
  await expect(takeLock(file, "http://localhost:9090")).rejects.toThrow(
    `Parley is already running (pid ${process.pid}) at http://localhost:8080;`,
  );
  await lock.release();
});

test("the lock is free again after its release, and leaves nothing behind", async () => {
  await (await takeLock(file, "a")).release();
  const lock = await takeLock(file, "b");
  expect(lock.takenOver).toBe(false);
  await lock.release();
  expect(await readdir(folder)).toEqual([]);
});

test("the lock is given to one of many who want it at once", async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => takeLock(file, "x")));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("the lock is taken over from a process that has died", async () => {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  await writeFile(file, JSON.stringify({ pid: child.pid, began: "whenever", address: "x" }));
  expect((await takeLock(file, "y")).takenOver).toBe(true);
});

test("the lock is taken over when the holder's pid now belongs to another program", async () => {
  await takeLock(file, "x");
  const mine = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...mine, began: "long ago" }));
  expect((await takeLock(file, "y")).takenOver).toBe(true);
});

test.each(["", "{", '{"pid":-1}'])("the lock is taken over from a damaged file: %j", async (content) => {
  await writeFile(file, content);
  expect((await takeLock(file, "y")).takenOver).toBe(true);
});
