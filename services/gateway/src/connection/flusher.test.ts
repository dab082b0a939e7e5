import { setImmediate as turn } from "node:timers/promises";
import { waitUntil } from "@parley/testing";
import { describe, expect, it } from "vitest";
import { flushPauseMsMax, flushSliceMax } from "../limits.js";
import { Flusher, type Flushers } from "./flusher.js";

/** Something to write whose writing does what the test says. */
function flushable(flush: () => void) {
  return { waitingSince: performance.now(), flush };
}

function keepBusy(durationMs: number): void {
  const until = performance.now() + durationMs;
  while (performance.now() < until);
}

describe("flusher", () => {
  it("writes at the end of the turn when nothing was written shortly before", async () => {
    const written: string[] = [];
    const flusher = new Flusher(() => {});
    flusher.add(flushable(() => written.push("first")));
    flusher.add(flushable(() => written.push("second")));
    expect(written).toEqual([]);
    await turn();
    expect(written).toEqual(["first", "second"]);
  });

  it("writes what was written already and got more during a flush in the next one", async () => {
    const slices: number[] = [];
    const flusher = new Flusher((connections) => slices.push(connections));
    let again = true;
    const busy = flushable(() => {
      if (again) flusher.add(busy);
      again = false;
    });
    flusher.add(busy);
    for (let count = 0; count < flushSliceMax; count += 1) flusher.add(flushable(() => {}));
    await waitUntil(() => slices.length === 3);
    expect(slices).toEqual([flushSliceMax, 1, 1]);
  });

  it("lets what comes after a long flush gather for a while", async () => {
    const flusher = new Flusher(() => {});
    let endedAt = 0;
    let nextAt = 0;
    const next = flushable(() => {
      nextAt = performance.now();
    });
    const long = flushable(() => {
      keepBusy(flushPauseMsMax * 3);
      endedAt = performance.now();
      flusher.add(next);
    });
    flusher.add(long);
    await waitUntil(() => nextAt > 0);
    // A timer may be a millisecond early.
    expect(nextAt - endedAt).toBeGreaterThan(flushPauseMsMax - 2);
  });

  it("of what people wait for comes between two slices of what may wait", async () => {
    const flushers: Flushers = { soon: new Flusher(() => {}), later: new Flusher(() => {}) };
    const written: string[] = [];
    const first = flushable(() => {
      written.push("later");
      flushers.soon.add(flushable(() => written.push("soon")));
    });
    flushers.later.add(first);
    for (let count = 1; count < flushSliceMax * 3; count += 1) {
      flushers.later.add(flushable(() => written.push("later")));
    }
    await waitUntil(() => written.length === flushSliceMax * 3 + 1);
    expect(written.indexOf("soon")).toBe(flushSliceMax);
  });
});
