import { waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { createBatcher } from "./batcher.js";

test("a batcher gives everybody their own result and puts what arrives meanwhile into one batch", async () => {
  const batches: number[][] = [];
  const releases: (() => void)[] = [];
  const add = createBatcher<number, number>({
    batchMax: 3,
    inFlightMax: 1,
    async work(items) {
      batches.push([...items]);
      await new Promise<void>((resolve) => releases.push(resolve));
      return items.map((item) => item * 10);
    },
  });
  const first = add(1);
  await waitUntil(() => releases.length === 1);
  const rest = Promise.all([2, 3, 4, 5].map(add));
  for (let batch = 1; batch <= 3; batch += 1) {
    await waitUntil(() => releases.length === batch);
    releases[batch - 1]?.();
  }
  expect([await first, ...(await rest)]).toEqual([10, 20, 30, 40, 50]);
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
});

test("a place rests after a batch, and what comes meanwhile goes into one", async () => {
  const batches: { items: number[]; startedAt: number; endedAt: number }[] = [];
  const restFactor = 3;
  const add = createBatcher<number, number>({
    batchMax: 100,
    inFlightMax: 1,
    restFactor,
    async work(items) {
      const startedAt = performance.now();
      await waitUntil(() => performance.now() - startedAt > 20);
      batches.push({ items: [...items], startedAt, endedAt: performance.now() });
      return items;
    },
  });
  await add(1);
  expect(await Promise.all([2, 3].map(add))).toEqual([2, 3]);
  expect(batches.map(({ items }) => items)).toEqual([[1], [2, 3]]);
  const [first, second] = batches;
  const tookMs = (first?.endedAt ?? 0) - (first?.startedAt ?? 0);
  // Timers count whole milliseconds, and may be one early.
  expect((second?.startedAt ?? 0) - (first?.endedAt ?? 0)).toBeGreaterThan(tookMs * restFactor - 2);
});

test("a batch that fails fails for those in it only", async () => {
  const add = createBatcher<number, number>({
    batchMax: 2,
    inFlightMax: 2,
    work: async (items) => {
      if (items.includes(1)) throw new Error("no");
      return items;
    },
  });
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(add));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled", "fulfilled"]);
});

test("a batcher refuses items beyond the limit of waiting ones as unavailable, and goes on with the others", async () => {
  const releases: (() => void)[] = [];
  const add = createBatcher<number, number>({
    batchMax: 2,
    inFlightMax: 1,
    waitingMax: 2,
    async work(items) {
      await new Promise<void>((resolve) => releases.push(resolve));
      return items;
    },
  });
  const running = add(1);
  await waitUntil(() => releases.length === 1);
  const outcomes = Promise.allSettled([2, 3, 4].map(add));
  await expect(add(5)).rejects.toMatchObject({ kind: "unavailable", message: "Service unavailable" });
  releases[0]?.();
  await running;
  await waitUntil(() => releases.length === 2);
  releases[1]?.();
  expect((await outcomes).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  const afterwards = add(6);
  await waitUntil(() => releases.length === 3);
  releases[2]?.();
  expect(await afterwards).toBe(6);
});
