import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "vitest";
import { type DueRows, startRepeating } from "./repeat.js";

/** Rows that are due when the test says so. */
function rowsDueOnCall() {
  const begins = new Set<() => void>();
  const due: DueRows = {
    subscribe(begin) {
      begins.add(begin);
      return () => begins.delete(begin);
    },
  };
  return {
    due,
    fall: () => {
      for (const begin of begins) begin();
    },
  };
}

const onFailure = (err: unknown) => expect(err).toBeUndefined();

test("work on due rows runs one round at a time, and again when rows are due after it", async () => {
  const { due, fall } = rowsDueOnCall();
  const ends: (() => void)[] = [];
  const job = startRepeating({ work: () => new Promise<void>((end) => ends.push(end)), due, onFailure });
  expect(ends).toHaveLength(0);
  fall();
  fall();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await expect
    .poll(() => {
      fall();
      return ends.length;
    })
    .toBe(2);
  ends[1]?.();
  await job.close();
  fall();
  expect(ends).toHaveLength(2);
});

test("work on due rows runs in the context in which its job was started", async () => {
  const { due, fall } = rowsDueOnCall();
  const job = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const closable = job.run("link cards", () =>
    startRepeating({ work: async () => seen.push(job.getStore()), due, onFailure }),
  );
  fall();
  await closable.close();
  expect(seen).toEqual(["link cards"]);
});
