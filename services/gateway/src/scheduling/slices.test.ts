import { setImmediate as nextTurn } from "node:timers/promises";
import { waitUntil } from "@parley/testing";
import { expect, it } from "vitest";
import { sliceMs } from "../limits.js";
import { Slices } from "./slices.js";

/** A piece of work of that length. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it("does everything in order, and lets the event loop turn in between", async () => {
  const slices = new Slices();
  const done: number[] = [];
  for (let number = 0; number < 20; number += 1) {
    slices.add(() => {
      work(sliceMs / 2);
      done.push(number);
    });
  }
  let turns = 0;
  while (done.length < 20) {
    await nextTurn();
    turns += 1;
  }
  expect(done).toEqual(Array.from({ length: 20 }, (_, number) => number));
  expect(turns).toBeGreaterThan(5);
});

it("gathers while more keeps coming, but not for ever", async () => {
  const gatheringMs = 200;
  const slices = new Slices({ gatheringMs });
  let done = 0;
  const startedAt = performance.now();
  slices.add(() => {
    done += 1;
  });
  while (done === 0) {
    slices.add(() => {});
    await nextTurn();
  }
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(gatheringMs);
});

it("does not wait unless it is told to", async () => {
  const slices = new Slices();
  let isDone = false;
  slices.add(() => {
    isDone = true;
  });
  slices.add(() => {});
  await nextTurn();
  expect(isDone).toBe(true);
});

it("begins again after it has had nothing to do", async () => {
  const slices = new Slices();
  for (let round = 1; round <= 3; round += 1) {
    let isDone = false;
    slices.add(() => {
      isDone = true;
    });
    await waitUntil(() => isDone);
  }
});
