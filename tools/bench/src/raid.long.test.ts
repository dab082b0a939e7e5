import { afterAll, beforeAll, expect, test } from "vitest";
import { measureRaid, quickSizes } from "./raid.js";
import { type BenchStack, startBenchStack } from "./stack.js";

let stack: BenchStack;
beforeAll(async () => {
  stack = await startBenchStack();
});
afterAll(() => stack?.stop());

test("the benchmark sees who joined and what was delivered before the raid and after", async () => {
  const { joinsPerMinute, attackersPerMinute, attackSeconds, messagesOfEach } = quickSizes;
  const result = await measureRaid(stack, quickSizes);
  const attackers = (attackersPerMinute * attackSeconds) / 60;
  expect(result).toMatchObject({ joined: joinsPerMinute + 1, joinsRefused: attackers - joinsPerMinute - 1 });
  expect(result.inForceMs).toBeGreaterThan(0);
  expect(result.announcedMs).toBeGreaterThan(0);
  expect(result.members).toMatchObject({ refused: 0 });
  expect(result.delivered).toBeGreaterThan(result.laterDelivered);
  expect(result.laterSent).toBeGreaterThan((attackers * messagesOfEach) / 3);
  for (const { postMs, deliveredMs } of [result.without, result.beside.after]) {
    expect(postMs[0]).toBeGreaterThan(0);
    expect(deliveredMs[0]).toBeGreaterThan(0);
  }
});
