import { createClient, createServerWithMembers, postMessage, startStack } from "@parley/testing";
import { test } from "vitest";
import { createWebhook, startReceiver } from "./webhook-stage.js";
test("debug", async () => {
  const stack = await startStack({ apis: 1, gateways: 0, webhookDispatchers: 1 });
  const client = createClient(stack.edgeUrl);
  const stage = await createServerWithMembers(client, 0);
  const hanging = await startReceiver(() => undefined);
  const quick = await startReceiver();
  for (let n = 0; n < 5; n += 1) await createWebhook(stage.owner, stage.server.id, { url: hanging.url });
  await createWebhook(stage.owner, stage.server.id, { url: quick.url });
  await postMessage(stage.owner, stage.channel.id, "x");
  await hanging.waitFor(5);
  const t = performance.now();
  const show = async () => {
    const text = await (await fetch(`${stack.webhookDispatchers[0]?.url}/metrics`)).text();
    const m = text.split("\n").filter((l) => /^webhook_(deliveries|attempts_running|jobs|queue)/.test(l)).map((l) => l.replace(/service="[^"]*"/, ""));
    process.stdout.write(`${Math.round(performance.now() - t)} quick=${quick.received.length} hang=${hanging.received.length} ${m.join(" ")}\n`);
  };
  const all = Promise.all(Array.from({ length: 200 }, (_, n) => postMessage(stage.owner, stage.channel.id, `${n}`)));
  for (let i = 0; i < 40; i += 1) {
    await show();
    await new Promise((r) => setTimeout(r, 500));
  }
  await all;
  await stack.stop();
}, 60000);
