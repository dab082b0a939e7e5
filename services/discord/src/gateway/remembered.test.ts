import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { rememberedMs, rememberedRowsMax } from "./limits.js";
import { Remembered } from "./remembered.js";

/** Rows as the database has them, and the keys that were read of it. */
function createRows(rows: Record<string, string>) {
  const counts = { memory: 0, database: 0 };
  const read: string[] = [];
  const remembered = new Remembered((from, count) => {
    counts[from] += count;
  });
  const ask = async (kind: string, ...keys: string[]) =>
    Object.fromEntries(
      await remembered.read(kind, keys, async (missing) => {
        read.push(...missing);
        return new Map(missing.flatMap((key) => (rows[key] === undefined ? [] : [[key, rows[key]]])));
      }),
    );
  return { rows, counts, read, remembered, ask };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("a row is read once, and so is that there is none", async () => {
  const { ask, read, counts } = createRows({ ann: "Ann" });
  expect(await ask("user", "ann", "ann", "bob")).toEqual({ ann: "Ann" });
  expect(await ask("user", "ann", "bob")).toEqual({ ann: "Ann" });
  expect(read).toEqual(["ann", "bob"]);
  expect(counts).toEqual({ memory: 2, database: 2 });
  // Rows of another kind have keys of their own.
  await ask("channel", "ann");
  expect(read).toEqual(["ann", "bob", "ann"]);
});

test("a changed row is shown as soon as an event may have changed it, and after its time at the latest", async () => {
  const { ask, rows, remembered } = createRows({ ann: "Ann" });
  await ask("user", "ann");
  rows.ann = "Anna";
  expect(await ask("user", "ann")).toEqual({ ann: "Ann" });
  remembered.forget();
  expect(await ask("user", "ann")).toEqual({ ann: "Anna" });
  rows.ann = "Annabel";
  vi.advanceTimersByTime(rememberedMs - 1);
  expect(await ask("user", "ann")).toEqual({ ann: "Anna" });
  vi.advanceTimersByTime(1);
  expect(await ask("user", "ann")).toEqual({ ann: "Annabel" });
});

test("of too many rows the oldest are forgotten", async () => {
  const { ask, read } = createRows({});
  const keys = Array.from({ length: rememberedRowsMax + 1 }, (_each, number) => `key ${number}`);
  await ask("user", ...keys);
  await ask("user", ...keys.slice(1));
  expect(read.length).toBe(keys.length);
  await ask("user", "key 0");
  expect(read.length).toBe(keys.length + 1);
});
