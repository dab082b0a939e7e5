import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BackgroundQueue, busyRestFactor, restMaxMs } from "./background-queue.js";

const pieceMs = 10;
let began: string[];
/** Of the time that passes, how much the event loop is busy with other work. */
let utilization: number;
let busyMs: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  [began, utilization, busyMs] = [[], 0, 0];
});
afterEach(() => vi.useRealTimers());

function piece(name: string, tookMs = pieceMs) {
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

test("background work runs one piece at a time in the order of arrival", async () => {
  const queue = new BackgroundQueue(() => busyMs);
  let end = () => {};
  const first = queue.run(() => {
    began.push("a1");
    return new Promise<string>((resolve) => {
      end = () => resolve("first");
    });
  });
  const rest = [queue.run(piece("b1")), queue.run(piece("a2"))];
  await pass(100);
  expect(began).toEqual(["a1"]);
  end();
  await pass(restMaxMs * 2);
  expect(began).toEqual(["a1", "b1", "a2"]);
  expect(await Promise.all([first, ...rest])).toEqual(["first", "b1", "a2"]);
});

test("background work rests as long as a piece took while the event loop is idle", async () => {
  const queue = new BackgroundQueue(() => busyMs);
  for (const name of ["1", "2", "3"]) void queue.run(piece(name));
  await pass(pieceMs * 2 - 2);
  expect(began).toEqual(["1"]);
  await pass(4);
  expect(began).toEqual(["1", "2"]);
  await pass(pieceMs * 2);
  expect(began).toEqual(["1", "2", "3"]);
});

test("background work rests in proportion to how busy the event loop is with other work", async () => {
  utilization = 0.5;
  const queue = new BackgroundQueue(() => busyMs);
  for (const name of ["1", "2"]) void queue.run(piece(name));
  await pass(pieceMs * (2 + busyRestFactor * utilization) - 2);
  expect(began).toEqual(["1"]);
  await pass(4);
  expect(began).toEqual(["1", "2"]);
});

test("background work never rests for longer than the bound", async () => {
  utilization = 1;
  const queue = new BackgroundQueue(() => busyMs);
  for (const name of ["1", "2"]) void queue.run(piece(name, restMaxMs * 3));
  await pass(restMaxMs * 4 - 2);
  expect(began).toEqual(["1"]);
  await pass(4);
  expect(began).toEqual(["1", "2"]);
});

test("background work goes on after a piece that failed", async () => {
  const queue = new BackgroundQueue(() => busyMs);
  const failing = queue.run(() => Promise.reject(new Error("failed")));
  const next = queue.run(piece("next"));
  await expect(failing).rejects.toThrow("failed");
  await pass(10);
  expect(await next).toBe("next");
});

test("background work that has not begun is dropped when its signal aborts", async () => {
  const queue = new BackgroundQueue(() => busyMs);
  const left = new AbortController();
  const first = queue.run(piece("first"));
  const dropped = queue.run(piece("dropped"), left.signal);
  const next = queue.run(piece("next"));
  await pass(1);
  left.abort(new Error("left"));
  await expect(dropped).rejects.toThrow("left");
  expect(began).toEqual(["first"]);
  await pass(pieceMs * 5);
  expect([await first, await next]).toEqual(["first", "next"]);
  expect(began).toEqual(["first", "next"]);
});
