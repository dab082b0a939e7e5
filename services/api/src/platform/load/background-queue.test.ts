import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BackgroundQueue, busyCoolDownFactor, coolDownMaxMs } from "./background-queue.js";

const taskMs = 10;
let began: string[];
/** The share of the passing time in which other work keeps the event loop busy. */
let utilization: number;
let busyMs: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  [began, utilization, busyMs] = [[], 0, 0];
});
afterEach(() => vi.useRealTimers());

function task(name: string, tookMs = taskMs) {
  return () => {
    began.push(name);
    return new Promise<string>((resolve) => setTimeout(() => resolve(name), tookMs));
  };
}

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1) {
    busyMs += utilization;
    await vi.advanceTimersByTimeAsync(1);
  }
}

test("background work runs one task at a time in the order of arrival", async () => {
  const queue = new BackgroundQueue(() => busyMs);
  let end = () => {};
  const first = queue.run(() => {
    began.push("a1");
    return new Promise<string>((resolve) => {
      end = () => resolve("first");
    });
  });
  const others = [queue.run(task("b1")), queue.run(task("a2"))];
  await pass(100);
  expect(began).toEqual(["a1"]);
  end();
  await pass(coolDownMaxMs * 2);
  expect(began).toEqual(["a1", "b1", "a2"]);
  expect(await Promise.all([first, ...others])).toEqual(["first", "b1", "a2"]);
});

test("background work cools down for as long as a task took while the event loop is idle", async () => {
  const queue = new BackgroundQueue(() => busyMs);
  for (const name of ["1", "2", "3"]) void queue.run(task(name));
  await pass(taskMs * 2 - 2);
  expect(began).toEqual(["1"]);
  await pass(4);
  expect(began).toEqual(["1", "2"]);
  await pass(taskMs * 2);
  expect(began).toEqual(["1", "2", "3"]);
});

test("background work cools down in proportion to how busy the event loop is with other work", async () => {
  utilization = 0.5;
  const queue = new BackgroundQueue(() => busyMs);
  for (const name of ["1", "2"]) void queue.run(task(name));
  await pass(taskMs * (2 + busyCoolDownFactor * utilization) - 2);
  expect(began).toEqual(["1"]);
  await pass(4);
  expect(began).toEqual(["1", "2"]);
});

test("background work never cools down for longer than the bound", async () => {
  utilization = 1;
  const queue = new BackgroundQueue(() => busyMs);
  for (const name of ["1", "2"]) void queue.run(task(name, coolDownMaxMs * 3));
  await pass(coolDownMaxMs * 4 - 2);
  expect(began).toEqual(["1"]);
  await pass(4);
  expect(began).toEqual(["1", "2"]);
});

test("background work goes on after a task that failed", async () => {
  const queue = new BackgroundQueue(() => busyMs);
  const failing = queue.run(() => Promise.reject(new Error("failed")));
  const next = queue.run(task("next"));
  await expect(failing).rejects.toThrow("failed");
  await pass(10);
  expect(await next).toBe("next");
});

test("background work that has not begun is dropped when its signal aborts", async () => {
  const queue = new BackgroundQueue(() => busyMs);
  const left = new AbortController();
  const first = queue.run(task("first"));
  const dropped = queue.run(task("dropped"), left.signal);
  const next = queue.run(task("next"));
  await pass(1);
  left.abort(new Error("left"));
  await expect(dropped).rejects.toThrow("left");
  expect(began).toEqual(["first"]);
  await pass(taskMs * 5);
  expect([await first, await next]).toEqual(["first", "next"]);
  expect(began).toEqual(["first", "next"]);
});
