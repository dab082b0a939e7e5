import { waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { createBatcher } from "./batcher.js";

test("gives everybody their own result and puts what arrives meanwhile into one batch", async () => {
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
