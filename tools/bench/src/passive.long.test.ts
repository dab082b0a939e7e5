import { afterAll, beforeAll, expect, test } from "vitest";
import { measurePassive, quickSizes } from "./passive.js";
import { type BenchStack, startBenchStack } from "./stack.js";

let stack: BenchStack;
beforeAll(async () => {
  stack = await startBenchStack();
});
afterAll(() => stack?.stop());

test("the benchmark sees what those get who show a channel, also of a killed gateway", {
  timeout: 180_000,
}, async () => {
  const { connecting, calm, killed } = await measurePassive(stack, quickSizes, "&view=");
  expect(connecting.failed).toBe(0);
  expect(calm.received).toMatchObject({ expected: 30 * 20, lost: 0, repeated: 0, foreign: 0 });
  expect(killed?.continued.answers).toEqual({ RESUMED: 150 });
  expect(killed?.received).toMatchObject({ expected: 30 * 10, lost: 0, repeated: 0, foreign: 0 });
});
