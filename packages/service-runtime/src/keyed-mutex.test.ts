import { createGate } from "@parley/testing";
import { expect, test } from "vitest";
import { KeyedMutex } from "./keyed-mutex.js";

test("work of one key runs in order, a failure included, and that of another key beside it", async () => {
  const mutex = new KeyedMutex();
  const done: string[] = [];
  const gate = createGate();
  const work =
    (name: string, before: Promise<void> = Promise.resolve()) =>
    async () => {
      await before;
      done.push(name);
      if (name === "fails") throw new Error(name);
    };
  const slow = mutex.run("ann", work("slow", gate.opened));
  const failing = mutex.run("ann", work("fails"));
  const last = mutex.run("ann", work("last"));
  await mutex.run("bob", work("other"));
  expect(done).toEqual(["other"]);
  expect(mutex.tryLock("ann")).toBe(false);
  const idle = mutex.idle().then(() => done.push("idle"));
  gate.open();
  await expect(failing).rejects.toThrow("fails");
  await Promise.all([slow, last, idle]);
  expect(done).toEqual(["other", "slow", "fails", "last", "idle"]);
  expect(mutex.tryLock("ann")).toBe(true);
});
