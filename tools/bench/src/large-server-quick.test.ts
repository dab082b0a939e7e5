import { afterAll, beforeAll, expect, it } from "vitest";
import { reportCosts } from "./large-server-costs.js";
import { reportCrowd } from "./large-server-crowd.js";
import { operations } from "./large-server-operations.js";
import { quickSizes } from "./large-server-sizes.js";
import { type LargeServerWorld, startLargeServerWorld } from "./large-server-world.js";
import { type BenchStack, startBenchStack, withPool } from "./stack.js";
import { recordStatements } from "./statement-times.js";

let stack: BenchStack;
beforeAll(async () => {
  stack = await startBenchStack();
  await recordStatements(stack);
}, 120_000);
afterAll(() => stack?.stop());

it("measures every operation in servers of each size, and what a crowd is told in each kind of presence", {
  timeout: 240_000,
}, async () => {
  await withPool(stack, async (pool) => {
    const world: LargeServerWorld = await startLargeServerWorld(stack, pool);
    const { byOperation, largest } = await reportCosts(world, quickSizes);
    expect([...byOperation.keys()]).toEqual(Object.keys(operations));
    for (const costs of byOperation.values()) {
      expect(costs).toHaveLength(quickSizes.members.length);
      for (const { callerMs, databaseMs } of costs) expect(Math.min(callerMs, databaseMs)).toBeGreaterThan(0);
    }
    for (const query of ["presence=subscribed", ""]) {
      const crowd = await reportCrowd(world, largest, quickSizes, query);
      expect(crowd).toMatchObject({ connected: quickSizes.connected, failed: 0, visits: { failed: 0 } });
      expect(crowd.visits.ready).toBeGreaterThan(0);
      for (const { counted, complete, sockets, delaysMs } of crowd.deliveries) {
        expect({ counted, complete, sockets }).toEqual({
          counted: (quickSizes.connected / 2) * quickSizes.messages,
          complete: quickSizes.connected / 2,
          sockets: quickSizes.connected / 2,
        });
        expect(delaysMs[0]).toBeGreaterThan(0);
      }
      const ofNeighbour = Object.values(crowd.neighbour).flatMap(({ postMs, deliveredMs }) => [postMs, deliveredMs]);
      for (const latencies of [...Object.values(crowd.changesMs), ...ofNeighbour]) {
        expect(latencies[0]).toBeGreaterThan(0);
      }
    }
  });
});
