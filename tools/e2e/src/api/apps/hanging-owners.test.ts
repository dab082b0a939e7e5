import { randomUUID } from "node:crypto";
import { createChannel, createServer, createServerWithMembers, postMessage, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { openDirect, sendDirect, usePushStage } from "../stages/push-stage.js";
import { makeKeys, subscribe } from "../stages/push-subscription-stage.js";
import { receiverOfTest } from "../stages/webhook-receiver.js";
import { createWebhook, createWebhooks, useOwnWebhookStage } from "../stages/webhook-stage.js";

// Its own: with one dispatcher, whose slots can be counted.
const webhooks = useOwnWebhookStage({ apis: 1, webhookDispatchers: 1 });
const pushes = usePushStage(async () => webhooks.stack);

/**
 * A quarter of the slots that receivers without attempts may use, and of those for slow ones
 * (docs/processes/bounds.md#bounds).
 */
const unknownShare = 96;
const slowShare = 64;

/** A receiver that takes requests and never answers; `open` are those under way. */
async function hangingReceiver() {
  const counts = { open: 0, peak: 0 };
  const { url } = await receiverOfTest((response) => {
    counts.open += 1;
    counts.peak = Math.max(counts.peak, counts.open);
    response.on("close", () => {
      counts.open -= 1;
    });
  });
  const isFull = () => counts.peak >= slowShare;
  return { url, counts, full: () => waitUntil(isFull, { timeoutMs: 60_000, what: "a full share of requests" }) };
}

test("an owner of fifty webhooks that hang has a quarter of the slots, and deliveries of another one arrive", async () => {
  const { owner, client } = webhooks;
  const hanging = await hangingReceiver();
  for (let servers = 0; servers < 5; servers += 1) {
    const server = await createServer(owner, {});
    const { id } = await createChannel(owner, server.id);
    await createWebhooks({ ...webhooks, owner, server }, 10, hanging.url);
    for (let n = 0; n < 8; n += 1) await postMessage(owner, id, `${n}`);
  }
  await hanging.full();
  const other = await createServerWithMembers(client, 0);
  const quick = await receiverOfTest();
  await createWebhook(other.owner, other.server.id, { url: quick.url });
  for (let n = 0; n < 20; n += 1) await postMessage(other.owner, other.channel.id, `${n}`);
  await quick.waitFor(20);
  expect(hanging.counts.peak).toBeLessThanOrEqual(unknownShare);
}, 180_000);

test("a push service that hangs has a quarter of the slots, and a device of another one gets its pushes", async () => {
  const { client } = pushes;
  const hanging = await hangingReceiver();
  const { owner, members, channel } = await createServerWithMembers(client, 7);
  const devices = members.flatMap((member) => Array.from({ length: 20 }, () => member));
  for (const member of devices)
    await subscribe(member, { endpoint: `${hanging.url}/${randomUUID()}`, keys: makeKeys() });
  await postMessage(owner, channel.id, "@everyone Hello");
  await hanging.full();
  const somebody = await client.register();
  const phone = await pushes.phoneOf(somebody);
  const { id } = await openDirect(owner, somebody);
  await sendDirect(owner, id, "Hello");
  await phone.pushed("Hello");
  expect(hanging.counts.peak).toBeLessThanOrEqual(unknownShare);
}, 180_000);
