import { setImmediate as turn } from "node:timers/promises";
import { waitUntil } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { flushBurstMs, flushPauseMsMax, flushSliceBytesMax, flushSliceMax } from "../limits.js";
import { createWriteSchedulers, WriteScheduler } from "./write-scheduler.js";

/** A writer with a body that the test chooses. */
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

  test("the write scheduler delays flushes, up to a limit, once they have taken more than half of the time for a while", async () => {
    const flushMs = flushPauseMsMax * 2;
    const flushes = Math.ceil(flushBurstMs / flushMs) + 4;
    const measurePauses = async () => {
      const scheduler = new WriteScheduler(() => {});
      const pauses: number[] = [];
      let endedAt = performance.now();
      const long = flushable(() => {
        pauses.push(performance.now() - endedAt);
        keepBusy(flushMs);
        endedAt = performance.now();
        if (pauses.length < flushes) scheduler.add(long);
      });
      scheduler.add(long);
      await waitUntil(() => pauses.length === flushes);
      return pauses;
    };
    // A timer may be a millisecond early; a busy machine also delays work that needs no timer.
    const limitMs = flushPauseMsMax - 2;
    await waitUntil(async () => ((await measurePauses())[1] ?? limitMs) < limitMs, { what: "a flush without a pause" });
    expect((await measurePauses()).at(-1)).toBeGreaterThan(limitMs);
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
