import {
  connectGateway,
  createClient,
  createServerWithMembers,
  postMessage,
  startStack,
  type TestStack,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sampleOf } from "../../metric-samples.js";

// The metrics of the processes on /metrics: the test stops Redis and NATS.

let stack: TestStack;
beforeAll(async () => {
  const env = { PARLEY_VERSION: "1.2.3-test" };
  // Its own: its metrics count everything that its processes do.
  stack = await startStack({ apis: 1, gateways: 2, automods: 1, webhookDispatchers: 1, env });
});
afterAll(() => stack.stop());

const allServices = () => [...stack.apis, ...stack.gateways, ...stack.automods, ...stack.webhookDispatchers];

test("every process says which version it is, and that it is connected", async () => {
  for (const [service, processes] of Object.entries({
    api: stack.apis,
    gateway: stack.gateways,
    automod: stack.automods,
    "webhook-dispatcher": stack.webhookDispatchers,
  })) {
    for (const process of processes) {
      expect(await sampleOf(process, `parley_build_info{service="${service}",version="1.2.3-test"}`)).toBe(1);
      expect(await sampleOf(process, "nats_connected")).toBe(1);
      expect(await sampleOf(process, "redis_connected")).toBe(1);
      await waitUntil(async () => (await sampleOf(process, "database_pool_waiting")) === 0);
      expect(await sampleOf(process, 'database_pool_connections{state="used"}')).toBeGreaterThanOrEqual(0);
    }
  }
});

test("a process without Redis says so", async () => {
  await stack.redis.kill();
  for (const process of allServices()) await waitUntil(async () => (await sampleOf(process, "redis_connected")) === 0);
  await stack.redis.restart();
  for (const process of allServices()) await waitUntil(async () => (await sampleOf(process, "redis_connected")) === 1);
});

test("the delay from commit to socket has the outage of NATS in it, on each gateway with a recipient", async () => {
  const { channel, owner, members } = await createServerWithMembers(createClient(stack.edgeUrl), 1);
  const [member] = members;
  const sockets = stack.gateways.map(({ url }) => connectGateway(url, member.accessToken));
  await Promise.all(sockets.map(({ ready }) => ready));
  const received = () =>
    waitUntil(() => sockets.every(({ events }) => events.some(({ name }) => name === "MESSAGE_CREATE")));
  const delays = () =>
    Promise.all(stack.gateways.map(async (gateway) => (await sampleOf(gateway, "gateway_delivery_seconds_sum")) ?? 0));
  await stack.nats.kill();
  for (const process of allServices()) await waitUntil(async () => (await sampleOf(process, "nats_connected")) === 0);
  const before = await delays();
  await postMessage(owner, channel.id, "committed while NATS is away");
  const answeredAt = Date.now();
  await stack.nats.restart();
  const awaySeconds = (Date.now() - answeredAt) / 1_000;
  await received();
  await waitUntil(async () => {
    const after = await delays();
    return after.every((sum, index) => sum - (before[index] ?? 0) >= awaySeconds);
  });
  for (const process of allServices()) {
    // Each tries again at times of its own.
    await waitUntil(async () => (await sampleOf(process, "nats_connected")) === 1);
    await waitUntil(async () => ((await sampleOf(process, "nats_reconnects_total")) ?? 0) >= 1);
  }
  for (const socket of sockets) await socket.close();
});
