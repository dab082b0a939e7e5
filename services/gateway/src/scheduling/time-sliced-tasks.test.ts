import { setImmediate as nextTurn } from "node:timers/promises";
import { waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { timeSliceMs } from "../limits.js";
import { TimeSlicedTasks } from "./time-sliced-tasks.js";

/** A piece of work of that length. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test("time-sliced tasks run in order, and let the event loop turn in between", async () => {
  const tasks = new TimeSlicedTasks();
  const done: number[] = [];
  for (let number = 0; number < 20; number += 1) {
    tasks.add(() => {
      work(timeSliceMs / 2);
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

test("what a task resolves goes on before the next task begins, as a part of it", async () => {
  const tasks = new TimeSlicedTasks();
  const done: string[] = [];
  const goOn = async (name: string) => {
    await tasks.enter();
    done.push(`${name} begins`);
    await Promise.resolve();
    work(timeSliceMs / 2);
    await Promise.resolve();
    done.push(`${name} ends`);
  };
  const names = Array.from({ length: 20 }, (_, number) => `${number}`);
  const all = Promise.all(names.map(goOn));
  let turns = 0;
  while (done.length < 2 * names.length) {
    await nextTurn();
    turns += 1;
  }
  await all;
  expect(done).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]));
  expect(turns).toBeGreaterThan(5);
});

test("tasks wait together while more are added, for a limited time", async () => {
  const coalesceMs = 200;
  const tasks = new TimeSlicedTasks({ coalesceMs });
  let done = 0;
  const startedAt = performance.now();
  tasks.add(() => {
    done += 1;
  });
  while (done === 0) {
    tasks.add(() => {});
    await nextTurn();
  }
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(coalesceMs);
});

test("tasks do not wait by default", async () => {
  const tasks = new TimeSlicedTasks();
  let isDone = false;
  tasks.add(() => {
    isDone = true;
  });
  tasks.add(() => {});
  await nextTurn();
  expect(isDone).toBe(true);
});

test("tasks that are added after an idle time run as well", async () => {
  const tasks = new TimeSlicedTasks();
  for (let round = 1; round <= 3; round += 1) {
    let isDone = false;
    tasks.add(() => {
      isDone = true;
    });
    await waitUntil(() => isDone);
  }
});
