import { expect, test } from "vitest";
import { waitUntil } from "./wait-until.js";

test("waitUntil returns the condition's value once it is more than false, null or undefined", async () => {
  const values = [false, null, undefined, 0];
  expect(await waitUntil(() => values.shift())).toBe(0);
});

test("waitUntil looks again after a condition has thrown, and names it when the time limit has passed", async () => {
  let looks = 0;
  const condition = () => {
    looks += 1;
    if (looks === 1) throw new Error("not yet");
    return true;
  };
  expect(await waitUntil(condition)).toBe(true);
  const failure = new Error("never");
  const waiting = waitUntil(() => Promise.reject(failure), { timeoutMs: 30, what: "the impossible" });
  await expect(waiting).rejects.toMatchObject({ message: "Waited 30 ms in vain for the impossible.", cause: failure });
});
