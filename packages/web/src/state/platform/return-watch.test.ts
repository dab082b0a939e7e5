import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createReturnWatch } from "./return-watch.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A watch of a server that answers once `isBack` is set, with the seconds at which it was asked. */
function watchServer() {
  const server = { isBack: false };
  const askedAtS: number[] = [];
  let returns = 0;
  const startedAt = Date.now();
  const watch = createReturnWatch(
    async () => {
      askedAtS.push((Date.now() - startedAt) / 1_000);
      return server.isBack;
    },
    () => {
      returns += 1;
    },
  );
  return { server, askedAtS, watch, returns: () => returns };
}

test("a server that does not answer is asked again after longer and longer waits, until it is back", async () => {
  const { server, askedAtS, watch, returns } = watchServer();
  watch.begin();
  watch.begin();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(askedAtS).toEqual([2, 6, 14, 30, 60, 90]);
  server.isBack = true;
  await vi.advanceTimersByTimeAsync(100_000);
  expect(askedAtS.at(-1)).toBe(120);
  expect(returns()).toBe(1);
});

test("a sign of the connection asks at once, and the wait is short again after an answer", async () => {
  const { server, askedAtS, watch, returns } = watchServer();
  watch.begin();
  await vi.advanceTimersByTimeAsync(1_000);
  server.isBack = true;
  watch.look();
  await vi.advanceTimersByTimeAsync(50_000);
  expect(askedAtS).toEqual([1]);
  expect(returns()).toBe(1);
  watch.answered();
  watch.begin();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(askedAtS).toEqual([1, 53]);
});

test("nothing is asked after the end", async () => {
  const { askedAtS, watch } = watchServer();
  watch.begin();
  watch.close();
  watch.begin();
  watch.look();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(askedAtS).toEqual([]);
});
