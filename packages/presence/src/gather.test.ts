import { expect, test } from "vitest";
import { createGatherer } from "./gather.js";

/** A run that ends when told to, and what it was given. */
function heldRuns() {
  const runs: { items: readonly number[]; finish: (error?: Error) => void }[] = [];
  const run = (items: readonly number[]) =>
    new Promise<number[]>((resolve, reject) => {
      runs.push({ items, finish: (error) => (error ? reject(error) : resolve(items.map((item) => item * 10))) });
    });
  return { runs, run };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("an item alone goes at once; those that come meanwhile go together, up to the batch's limit, each with its result", async () => {
  const { runs, run } = heldRuns();
  const gather = createGatherer({ run, batchMax: 3, batchesAtOnceMax: 1 });
  const results = Promise.all([1, 2, 3, 4, 5].map(gather));
  expect(runs.map(({ items }) => items)).toEqual([[1]]);
  for (let index = 0; index < 3; index += 1) {
    runs[index]?.finish();
    await turn();
  }
  expect(runs.map(({ items }) => items)).toEqual([[1], [2, 3, 4], [5]]);
  expect(await results).toEqual([10, 20, 30, 40, 50]);
});

test("as many batches are under way as allowed", () => {
  const { runs, run } = heldRuns();
  const gather = createGatherer({ run, batchMax: 3, batchesAtOnceMax: 2 });
  for (const item of [1, 2, 3]) void gather(item);
  expect(runs.map(({ items }) => items)).toEqual([[1], [2]]);
});

test("a failure reaches every caller of its batch and no other", async () => {
  const { runs, run } = heldRuns();
  const gather = createGatherer({ run, batchMax: 3, batchesAtOnceMax: 1 });
  const results = [1, 2, 3].map((item) => gather(item).catch((error: Error) => error.message));
  runs[0]?.finish();
  await turn();
  runs[1]?.finish(new Error("lost"));
  expect(await Promise.all(results)).toEqual([10, "lost", "lost"]);
});
