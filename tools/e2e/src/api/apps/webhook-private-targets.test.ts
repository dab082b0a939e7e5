import { createServer } from "node:net";
import { waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createAppStage } from "../stages/app-stage.js";
import { type Receiver, startReceiver } from "../stages/webhook-receiver.js";
import { createWebhook, pingOnce, useOwnWebhookStage } from "../stages/webhook-stage.js";
import { askAt, begin, readState } from "./http-app-stage.js";

// Its own: addresses that are not public are refused there.
const stage = useOwnWebhookStage({
  apis: 1,
  webhookDispatchers: 1,
  env: { WEBHOOK_ALLOW_PRIVATE: "false", WEBHOOK_ALLOWED_NETWORKS: "127.0.0.2/32" },
});
let everywhere: Receiver;
let listed: Receiver;

beforeAll(async () => {
  everywhere = await startReceiver(undefined, "::");
  listed = await startReceiver(undefined, "127.0.0.2");
});
afterAll(() => Promise.all([everywhere?.close(), listed?.close()]));

test.each([
  "127.0.0.1",
  "localhost",
  "2130706433",
  "0x7f000001",
  "0177.0.0.1",
  "127.1",
  "127.0.1",
  "127.0.0.1.",
  "017700000001",
  "0x7f.0.0.1",
  "①②⑦.⓪.⓪.①",
  "１２７．０．０．１",
  "user:password@127.0.0.1",
  "0.0.0.0",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "[2001:0:7f00:1::]",
  "169.254.169.254",
])("nothing is sent to %s", async (host) => {
  const { owner, server } = stage;
  const { webhook } = await createWebhook(owner, server.id, { url: `http://${host}:${everywhere.port}/` });
  const entry = await pingOnce(owner, webhook);
  expect(entry).toMatchObject({ status: "pending", attempts: 1, response_status: null });
  expect(entry.error).toMatch(/is not a public address$/);
  expect(everywhere.received).toEqual([]);
});

test("a network that the operator lists is reached", async () => {
  const { owner, server } = stage;
  const { webhook } = await createWebhook(owner, server.id, { url: listed.url });
  expect(await pingOnce(owner, webhook)).toMatchObject({ status: "delivered", response_status: 204 });
});

test("a bot at an address that is not public is not dialled, and its interactions fail", async () => {
  let connections = 0;
  const server = createServer(() => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const app = await createAppStage(stage.stack.edgeUrl, [{ name: "play", description: "Begins" }]);
  for (const host of ["127.0.0.1", "localhost"]) {
    await askAt(app.owner, app.bot.id, `https://${host}:${port}/`);
    const id = await begin(app, "play");
    await waitUntil(async () => (await readState(app, id)).state === "failed");
  }
  expect(connections).toBe(0);
});
