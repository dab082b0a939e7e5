import { connectMessaging, defaultStreamSettings, ensureStreams } from "@parley/messaging";
import { startNats, waitUntil } from "@parley/testing";
import { Registry } from "prom-client";
import { expect, onTestFinished, test } from "vitest";
import { checkStore } from "./store-check.js";

test("the check fails while NATS answers and does not store messages, and passes once it does", async () => {
  const server = await startNats();
  onTestFinished(server.stop);
  const messaging = await connectMessaging({
    url: server.url,
    name: "test",
    logger: { info: () => undefined, warn: () => undefined },
  });
  onTestFinished(messaging.close);
  const registry = new Registry();
  const store = checkStore({ messaging, registry });
  onTestFinished(store.close);
  await expect(messaging.ping(1_000)).resolves.toBeUndefined();
  await expect(store.check(1_000)).rejects.toThrow("No stream takes the event");
  expect(await registry.metrics()).toMatch(/^stream_writable 0$/m);

  await ensureStreams(messaging, defaultStreamSettings);
  await waitUntil(() =>
    store.check(1_000).then(
      () => true,
      () => false,
    ),
  );
  expect(await registry.metrics()).toMatch(/^stream_writable 1$/m);
});
