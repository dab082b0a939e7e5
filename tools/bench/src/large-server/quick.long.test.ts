import { afterAll, beforeAll, expect, test } from "vitest";
import type { Delivery } from "../clients/clients.js";
import { type BenchStack, startBenchStack } from "../stack.js";
import { recordStatements } from "../statement-times.js";
import { reportCrowd } from "./crowd.js";
import { measureFloor } from "./floor.js";
import { reportJoins } from "./joins.js";
import { reportCosts } from "./large-server.js";
import { operations } from "./operations.js";
import { reportPrivateChannel } from "./private-channel.js";
import { quickSizes } from "./sizes.js";
import { messageBytes, startLargeServerWorld } from "./world.js";

let stack: BenchStack;
beforeAll(async () => {
  stack = await startBenchStack();
  await recordStatements(stack);
});
afterAll(() => stack?.stop());

test("the benchmark measures every operation in servers of each size, and what a crowd is told in each kind of presence", {
  timeout: 240_000,
}, async () => {
  const world = await startLargeServerWorld(stack);
  const { byOperation, largest } = await reportCosts(world, quickSizes);
  expect([...byOperation.keys()]).toEqual(Object.keys(operations));
  for (const costs of byOperation.values()) {
    expect(costs).toHaveLength(quickSizes.members.length);
    for (const { callerMs, databaseMs } of costs) expect(Math.min(callerMs, databaseMs)).toBeGreaterThan(0);
  }
  const payloadBytes = await messageBytes(world, largest);
  const floors = await measureFloor(quickSizes, payloadBytes);
  expect(floors[0]?.perSecond).toBe(quickSizes.messagesPerSecond);
  for (const { deliveries } of floors) expectAll(deliveries);
  const joins = await reportJoins(world, largest, { sizes: quickSizes, payloadBytes });
  expect(joins.map(({ joined }) => joined)).toEqual([0, 20, 20]);
  for (const { complete, p99Ms } of joins) {
    expect(complete).toBe(quickSizes.connected - quickSizes.watching);
    expect(p99Ms).toBeGreaterThan(0);
  }
  const { losers, holders, slowestMs, ...hidden } = await reportPrivateChannel(world, largest, quickSizes);
  const { connected, privateChanges } = quickSizes;
  expect(losers + holders).toBe(connected);
  expect(hidden).toEqual({ told: losers * privateChanges, late: 0, kept: holders * privateChanges });
  expect(slowestMs).toBeGreaterThan(0);
  for (const query of ["presence=subscribed", ""]) {
    const crowd = await reportCrowd({ world, server: largest, sizes: quickSizes, payloadBytes, floors }, query);
    expect(crowd).toMatchObject({ connected: quickSizes.connected, failed: 0 });
    for (const { deliveries, visits, neighbour } of crowd.phases) {
      expectAll(deliveries);
      expect(visits.ready).toBeGreaterThan(0);
      expect(visits.failed).toBe(0);
      for (const { postMs, deliveredMs } of Object.values(neighbour)) {
        expect(postMs[0]).toBeGreaterThan(0);
        expect(deliveredMs[0]).toBeGreaterThan(0);
      }
    }
    for (const latencies of Object.values(crowd.changesMs)) expect(latencies[0]).toBeGreaterThan(0);
  }
});

/** Every socket got every frame. */
function expectAll(deliveries: readonly Delivery[]): void {
  expect(deliveries).toHaveLength(2);
  for (const { counted, expected, complete, sockets, delaysMs } of deliveries) {
    expect({ counted, complete, sockets }).toEqual({
      counted: expected,
      complete: quickSizes.connected / 2,
      sockets: quickSizes.connected / 2,
    });
    expect(counted).toBeGreaterThan(0);
    expect(delaysMs[0]).toBeGreaterThan(0);
  }
}
