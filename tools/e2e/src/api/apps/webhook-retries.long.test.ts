import { postMessage, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { attemptOf, receiverOfTest } from "../stages/webhook-receiver.js";
import { createWebhooks, readLog, useWebhookStage } from "../stages/webhook-stage.js";

const stage = useWebhookStage();

test("a delivery to a failing receiver is tried at once, after 5 and after 15 seconds", async () => {
  const receiver = await receiverOfTest((response) => response.writeHead(500).end("no"));
  // Several, for the pauses: a busy machine may prolong one.
  const webhooks = await createWebhooks(stage, 3, receiver.url);
  await postMessage(stage.owner, stage.channel.id, "again and again");
  await receiver.waitFor(9, { timeoutMs: 40_000 });
  const attemptsOf = webhooks.map(({ id }) =>
    receiver.received.filter(({ headers }) => headers["x-service-hook-id"] === id),
  );
  expect(attemptsOf.map((attempts) => attempts.map(attemptOf))).toEqual(webhooks.map(() => [1, 2, 3]));
  const shortest = (pause: 0 | 1) =>
    Math.min(...attemptsOf.map((attempts) => (attempts[pause + 1]?.at ?? 0) - (attempts[pause]?.at ?? 0)));
  expect(shortest(0)).toBeGreaterThan(4_950);
  expect(shortest(0)).toBeLessThan(6_000);
  expect(shortest(1)).toBeGreaterThan(14_950);
  expect(shortest(1)).toBeLessThan(16_000);
  for (const webhook of webhooks) {
    await waitUntil(async () => (await readLog(stage.owner, webhook))[0]?.status === "failed");
  }
});
