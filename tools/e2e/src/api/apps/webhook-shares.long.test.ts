import { createServerWithMembers, postMessage, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type Receiver, startReceiver } from "../stages/webhook-receiver.js";
import { createWebhooks, readLog, useOwnWebhookStage } from "../stages/webhook-stage.js";

// Its own: deliveries load its dispatchers.
const stage = useOwnWebhookStage({ apis: 1, webhookDispatchers: 2 });
let hanging: Receiver;
let quick: Receiver;

beforeAll(async () => {
  hanging = await startReceiver(() => undefined);
  quick = await startReceiver();
});
afterAll(() => Promise.all([hanging?.close(), quick?.close()]));

const metricOf = async (name: string) => {
  const values = await Promise.all(
    stage.stack.webhookDispatchers.map(async ({ url }) => {
      const text = await (await fetch(`${url}/metrics`)).text();
      return Number(new RegExp(`^${name}[^\\n]* (\\d+)$`, "m").exec(text)?.[1] ?? 0);
    }),
  );
  return values;
};

test("a server whose receivers hang fills its own share of the queue, and every event of another server arrives", async () => {
  const { client } = stage;
  const [hostile, quiet] = [await createServerWithMembers(client, 0), await createServerWithMembers(client, 0)];
  const hostileHooks = await createWebhooks(hostile, 10, hanging.url);
  await createWebhooks(quiet, 1, quick.url);
  // Ten jobs each: more than the whole queue has places for.
  const rounds = 52;
  for (let round = 0; round < rounds; round += 1) {
    const texts = Array.from({ length: 20 }, (_, n) => `${round}.${n}`);
    await Promise.all(texts.map((text) => postMessage(hostile.owner, hostile.channel.id, text)));
    await postMessage(quiet.owner, quiet.channel.id, `${round}`);
  }
  await quick.waitFor(rounds, { timeoutMs: 30_000 });
  await postMessage(quiet.owner, quiet.channel.id, "the last");
  await quick.waitFor(rounds + 1, { timeoutMs: 30_000 });

  const isDropped = 'webhook_deliveries_total\\{outcome="queue_full"';
  const [jobs] = await metricOf("webhook_queue_jobs");
  expect(jobs).toBeLessThanOrEqual(2_000);
  await waitUntil(async () => {
    const [first = 0, second = 0] = await metricOf(isDropped);
    return first + second >= 20 * 10 * rounds - 2_000;
  });
  for (const webhook of hostileHooks) {
    const dropped = (await readLog(hostile.owner, webhook)).find(({ status }) => status === "dropped");
    expect(dropped).toMatchObject({ attempts: 0, error: "The queue was full", response_status: null });
    expect(dropped?.finished_at).not.toBeNull();
  }
  // Thousands were dropped; each process logs each webhook once in a minute.
  const warnings = stage.stack.webhookDispatchers
    .flatMap((dispatcher) => dispatcher.lastLines())
    .filter((line) => line.includes("deliveries dropped"));
  expect(warnings.length).toBeLessThanOrEqual(2 * 2 * hostileHooks.length);
}, 180_000);

test("a ping that finds no room stands in the log, also after it was sent again in vain", async () => {
  const [webhook] = await createWebhooks(stage, 1, hanging.url);
  if (webhook === undefined) throw new Error("no webhook");
  const path = `/servers/${stage.server.id}/webhooks/${webhook.id}`;
  const accepted = z.object({ message: z.string() });
  for (let pinged = 0; pinged < 210; pinged += 10) {
    const pings = await Promise.all(Array.from({ length: 10 }, () => stage.owner.post(`${path}/test`)));
    for (const ping of pings) ping.expect(202, accepted);
  }
  const dropped = (await readLog(stage.owner, webhook)).filter(({ status }) => status === "dropped");
  expect(dropped.length).toBeGreaterThanOrEqual(10);
  const [first] = dropped;
  (await stage.owner.post(`${path}/deliveries/${first?.id}/redeliver`)).expect(202, accepted);
  const again = (await readLog(stage.owner, webhook)).find(({ id }) => id === first?.id);
  expect(again?.status).toBe("dropped");
});
