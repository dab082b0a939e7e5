import { expect, test } from "vitest";
import { PressCollectors } from "./presses.js";

test("collectors that are done are not kept, nor are their listeners", async () => {
  const collectors = new PressCollectors();
  const stop = new AbortController();
  const options = { timeMs: 60_000, signal: stop.signal };
  let listeners = 0;
  const { addEventListener, removeEventListener } = stop.signal;
  Object.assign(stop.signal, {
    addEventListener(...args: Parameters<typeof addEventListener>) {
      listeners += 1;
      addEventListener.apply(stop.signal, args);
    },
    removeEventListener(...args: Parameters<typeof removeEventListener>) {
      listeners -= 1;
      removeEventListener.apply(stop.signal, args);
    },
  });
  const left = collectors.collect(() => true, options);
  const timed = collectors.collect(() => true, { ...options, timeMs: 1 });
  const aborted = collectors.collect(() => true, options);
  const failed = collectors.collect(() => true, options);
  expect([collectors.size, listeners]).toEqual([4, 4]);
  await left.return?.();
  expect([collectors.size, await left.next()]).toEqual([3, { done: true, value: undefined }]);
  expect((await timed.next()).done).toBe(true);
  expect([collectors.size, listeners]).toEqual([2, 2]);
  collectors.end(new Error("stopped"));
  await expect(failed.next()).rejects.toThrow("stopped");
  await expect(aborted.next()).rejects.toThrow("stopped");
  await expect(collectors.collect(() => true, options).next()).rejects.toThrow("stopped");
  expect([collectors.size, listeners]).toEqual([0, 0]);
});

test("a collector that begins with an aborted signal is done", async () => {
  const collectors = new PressCollectors();
  const collector = collectors.collect(() => true, { timeMs: 60_000, signal: AbortSignal.abort() });
  expect([(await collector.next()).done, collectors.size]).toEqual([true, 0]);
});
