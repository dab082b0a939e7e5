import { afterAll, beforeAll, expect, test } from "vitest";
import { measurePush, quickSizes } from "./push.js";
import { type BenchStack, startBenchStack } from "./stack.js";

let stack: BenchStack;
beforeAll(async () => {
  stack = await startBenchStack({ WEBHOOK_ALLOW_PRIVATE: "true" });
});
afterAll(() => stack?.stop());

test("the benchmark sees every push, of mentions and of everyone", async () => {
  const { alone, mentions, everyone } = await measurePush(stack, quickSizes);
  expect(mentions.sent).toBeGreaterThan(0);
  expect(mentions.taken).toBe(mentions.sent);
  expect(everyone.taken).toBe(quickSizes.devices);
  for (const times of [alone, mentions.pushMs, mentions.besideMs, everyone.besideMs])
    expect(times[0]).toBeGreaterThan(0);
});
