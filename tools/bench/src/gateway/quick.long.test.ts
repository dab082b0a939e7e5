import { afterAll, beforeAll, expect, test } from "vitest";
import type { Delivery } from "../clients/clients.js";
import { type BenchStack, startBenchStack } from "../stack.js";
import { measureBurst } from "./burst.js";
import { measureChurn } from "./churn.js";
import { measureCompression } from "./compression.js";
import { contestantNames } from "./contestants.js";
import { measureContinue } from "./continue.js";
import { measureFanOut } from "./fanout.js";
import { measureIdle } from "./idle.js";
import { measureLatency } from "./latency.js";
import { measureReady } from "./ready.js";
import { quickSizes } from "./sizes.js";

let stack: BenchStack;
beforeAll(async () => {
  stack = await startBenchStack();
});
afterAll(() => stack?.stop());

const timeoutMs = 120_000;

/** Every socket got every frame, once. */
function expectWhole(delivery: Delivery, size: { sockets: number; events: number }): void {
  const { counted, complete, sockets } = delivery;
  expect({ counted, complete, sockets }).toEqual({
    counted: size.sockets * size.events,
    complete: size.sockets,
    sockets: size.sockets,
  });
}

test("the benchmark counts every frame of a fan-out, for each server under measurement", {
  timeout: timeoutMs,
}, async () => {
  const runs = await measureFanOut(stack, quickSizes);
  const { sockets, perSecond, events, ceilingPerSecond, ceilingEvents } = quickSizes.fanout;
  expect(runs.map(({ name, offered }) => [name, offered])).toEqual([
    ["gateway", perSecond],
    ["gateway", ceilingPerSecond],
    ["naive ws", perSecond],
    ["socket.io", perSecond],
  ]);
  for (const { name, offered, delivery } of runs) {
    expectWhole(delivery, { sockets, events: offered === perSecond ? events[name] : ceilingEvents });
  }
});

test("the benchmark counts and times every frame of a burst", { timeout: timeoutMs }, async () => {
  const runs = await measureBurst(stack, quickSizes);
  expect(runs.map(({ name }) => name)).toEqual([...contestantNames]);
  const { sockets, bursts } = quickSizes.burst;
  for (const { deliveries } of runs) {
    expect(deliveries).toHaveLength(bursts);
    for (const delivery of deliveries) {
      expectWhole(delivery, { sockets, events: 1 });
      expectTimed(delivery, sockets);
    }
  }
});

test("the benchmark times every frame at a low rate, with and without the stream", { timeout: timeoutMs }, async () => {
  const runs = await measureLatency(stack, quickSizes);
  expect(runs.map(({ name, route }) => `${name} ${route}`)).toEqual(
    contestantNames.flatMap((name) => [`${name} core`, `${name} stream`]),
  );
  const { sockets, events } = quickSizes.latency;
  for (const { delivery } of runs) {
    expectWhole(delivery, { sockets, events });
    expectTimed(delivery, sockets * events);
  }
});

test("the benchmark counts every frame that is sent compressed or not, and compressed ones are shorter", {
  timeout: timeoutMs,
}, async () => {
  const { sockets, messages } = quickSizes.compression;
  const [plain, compressed] = await measureCompression(stack, quickSizes);
  for (const run of [plain, compressed])
    if (run !== undefined) expectWhole(run.delivery, { sockets, events: messages });
  expect(compressed?.bytes).toBeLessThan((plain?.bytes ?? 0) / 2);
});

test("the benchmark measures the memory of idle connections of each server under measurement", {
  timeout: timeoutMs,
}, async () => {
  const runs = await measureIdle(stack, quickSizes);
  expect(runs.map(({ name, connections }) => [name, connections])).toEqual(
    contestantNames.map((name) => [name, quickSizes.idle.sockets]),
  );
  for (const { memory } of runs) expect(Math.min(memory.empty.heapUsed, memory.all.external)).toBeGreaterThan(0);
});

test("the benchmark brings every client of a reconnect storm to READY while the others get their events", {
  timeout: timeoutMs,
}, async () => {
  const run = await measureReady(stack, quickSizes);
  const { community, single, watchers, calmEvents } = quickSizes.ready;
  expect(run.database.calls).toBe(single);
  for (const { ready, failed } of [run.steady, run.storm]) expect([ready, failed]).toEqual([community.users, 0]);
  expectWhole(run.calm, { sockets: watchers, events: calmEvents });
  expectWhole(run.stormy, { sockets: watchers, events: run.stormy.expected / watchers });
});

test("the benchmark lets numbered clients continue whose gateway is killed, and compares what each got with what was sent", {
  timeout: 2 * timeoutMs,
}, async () => {
  const { continued, received, calmMs, meanwhileMs, eachMs, memory, floors, eventsEach } = await measureContinue(
    stack,
    quickSizes,
  );
  const { community, watchers, perSecond } = quickSizes.continue;
  expect([continued.answeredMs.length, continued.failed]).toEqual([community.users - watchers, 0]);
  expect(continued.answers.RESUMED).toBe(community.users - watchers - continued.begunAnew.size);
  expect(received).toMatchObject({ lost: 0, repeated: 0, unordered: 0, foreign: 0 });
  const membersPerServer = (community.users * community.serversPerUser) / community.servers;
  expect(received.expected).toBeGreaterThan(perSecond * membersPerServer);
  for (const delays of [calmMs, meanwhileMs]) expect(delays[0]).toBeGreaterThan(0);
  for (const cost of [eachMs.database, eachMs.cpu, memory.numbered.used, eventsEach]) expect(cost).toBeGreaterThan(0);
  expect(floors.map(({ writes }) => writes)).toEqual(["one", "each"]);
  for (const floor of floors) {
    expect(floor.continued.answers).toEqual({ RESUMED: community.users - watchers });
    expect(floor.cpuEachMs).toBeGreaterThan(0);
  }
});

test("the benchmark brings every client that comes and goes to READY", { timeout: timeoutMs }, async () => {
  const { visits, rssBytes } = await measureChurn(stack, quickSizes);
  const { perSecond, durationMs } = quickSizes.churn;
  expect(visits).toEqual({ opened: visits.ready, ready: visits.ready, failed: 0 });
  expect(visits.ready).toBeGreaterThan((perSecond * durationMs) / 1_000 / 2);
  expect(rssBytes.length).toBeGreaterThan(1);
});

function expectTimed({ delaysMs }: Delivery, frames: number): void {
  expect(delaysMs).toHaveLength(frames);
  expect(delaysMs[0]).toBeGreaterThan(0);
}
