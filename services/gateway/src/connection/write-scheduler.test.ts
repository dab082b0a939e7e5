import { setImmediate as turn } from "node:timers/promises";
import { waitUntil } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { flushPauseMsMax, flushSliceBytesMax, flushSliceMax } from "../limits.js";
import { createWriteSchedulers, WriteScheduler } from "./write-scheduler.js";

/** Something to write whose writing does what the test says. */
function flushable(write: () => void, bytes = 0) {
  return {
    waitingSince: performance.now(),
    flush() {
      write();
      return bytes;
    },
  };
}

function keepBusy(durationMs: number): void {
  const until = performance.now() + durationMs;
  while (performance.now() < until);
}

describe("the write scheduler", () => {
  test("the write scheduler writes at the end of the turn when nothing was written shortly before", async () => {
    const written: string[] = [];
    const scheduler = new WriteScheduler(() => {});
    scheduler.add(flushable(() => written.push("first")));
    scheduler.add(flushable(() => written.push("second")));
    expect(written).toEqual([]);
    await turn();
    expect(written).toEqual(["first", "second"]);
  });

  test("the write scheduler writes what was written already and got more during a flush in the next one", async () => {
    const slices: number[] = [];
    const scheduler = new WriteScheduler((connections) => slices.push(connections));
    let again = true;
    const busy = flushable(() => {
      if (again) scheduler.add(busy);
      again = false;
    });
    scheduler.add(busy);
    for (let count = 0; count < flushSliceMax; count += 1) scheduler.add(flushable(() => {}));
    await waitUntil(() => slices.length === 3);
    expect(slices).toEqual([flushSliceMax, 1, 1]);
  });

  test("the write scheduler writes what others wait for between two slices of so many bytes", async () => {
    const writeSchedulers = createWriteSchedulers();
    const written: string[] = [];
    const sizes = [1, flushSliceBytesMax, 1, 1];
    for (const [index, size] of sizes.entries()) {
      const write = () => {
        written.push("large");
        if (index === 0) writeSchedulers.highPriority.add(flushable(() => written.push("small")));
      };
      writeSchedulers.lowPriority.add(flushable(write, size));
    }
    await waitUntil(() => written.length === sizes.length + 1);
    expect(written).toEqual(["large", "large", "small", "large", "large"]);
  });

  test("the write scheduler delays the flush after a long one, up to a limit", async () => {
    const scheduler = new WriteScheduler(() => {});
    let endedAt = 0;
    let nextAt = 0;
    const next = flushable(() => {
      nextAt = performance.now();
    });
    const long = flushable(() => {
      keepBusy(flushPauseMsMax * 3);
      endedAt = performance.now();
      scheduler.add(next);
    });
    scheduler.add(long);
    await waitUntil(() => nextAt > 0);
    // A timer may be a millisecond early.
    expect(nextAt - endedAt).toBeGreaterThan(flushPauseMsMax - 2);
  });

  test("a write with high priority goes between two slices of the one with low priority", async () => {
    const writeSchedulers = createWriteSchedulers();
    const written: string[] = [];
    const first = flushable(() => {
      written.push("low");
      writeSchedulers.highPriority.add(flushable(() => written.push("high")));
    });
    writeSchedulers.lowPriority.add(first);
    for (let count = 1; count < flushSliceMax * 3; count += 1) {
      writeSchedulers.lowPriority.add(flushable(() => written.push("low")));
    }
    await waitUntil(() => written.length === flushSliceMax * 3 + 1);
    expect(written.indexOf("high")).toBe(flushSliceMax);
  });
});
