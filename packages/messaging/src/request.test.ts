import { randomUUID } from "node:crypto";
import type { AutomodCheck, AutomodVerdict } from "@parley/contracts";
import { createGate, startNats } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectMessaging, type Messaging } from "./connect.js";
import { request } from "./request.js";
import { respond } from "./respond.js";

let nats: Awaited<ReturnType<typeof startNats>>;
let asker: Messaging;
let answerer: Messaging;
const logger = { info() {}, warn() {} };

beforeAll(async () => {
  nats = await startNats();
  const options = { url: nats.url, name: "test", logger };
  [asker, answerer] = await Promise.all([connectMessaging(options), connectMessaging(options)]);
});
afterAll(async () => {
  await Promise.all([asker?.close(), answerer?.close()]);
  await nats?.stop();
});

const check = (content: string): AutomodCheck => {
  const id = randomUUID();
  const ids = { judgement_id: id, server_id: id, channel_id: id, user_id: id };
  const known = { evidence: { recent_texts: null, recent_messages: null }, evidence_age_ms: 0, spam_max_messages: 5 };
  const submission = { ...ids, content, texts: [content], words_version: 0 };
  return { ...submission, ...known, rules: ["word_filter"], answer_within_ms: 500 };
};
const verdict: AutomodVerdict = { blocked_by: null, rules_after: [], ticket: null };

test("a request without a responder, a failed one and a late one resolve to null; any other to its answer", async () => {
  // Longer than a test may take: a test that waited for its end would fail.
  const patienceMs = 300_000;
  expect(await request(asker, "automodCheck", check("x"), patienceMs)).toBeNull();
  const late = createGate();
  const answering = async ({ content }: AutomodCheck) => {
    if (content === "fail") throw new Error("no verdict");
    if (content === "slow") await late.opened;
    return verdict;
  };
  const service = respond(answerer, "automodCheck", answering, { logger });
  await answerer.nats.flush();
  expect(await request(asker, "automodCheck", check("x"), patienceMs)).toEqual(verdict);
  expect(await request(asker, "automodCheck", check("fail"), patienceMs)).toBeNull();
  expect(await request(asker, "automodCheck", check("slow"), 50)).toBeNull();
  late.open();
  await service.close();
});

test("requests are shared by those who answer, and a closing one finishes the requests that it has begun", async () => {
  const answered = [0, 0];
  const services = [asker, answerer].map((messaging, index) =>
    respond(
      messaging,
      "automodCheck",
      async () => {
        answered[index] = (answered[index] ?? 0) + 1;
        return verdict;
      },
      { logger },
    ),
  );
  await Promise.all([asker.nats.flush(), answerer.nats.flush()]);
  const asking = Array.from({ length: 100 }, () => request(asker, "automodCheck", check("x"), 5_000));
  expect(await Promise.all(asking)).toEqual(Array(100).fill(verdict));
  expect((answered[0] ?? 0) + (answered[1] ?? 0)).toBe(100);
  expect(Math.min(...answered)).toBeGreaterThan(0);
  const last = request(asker, "automodCheck", check("x"), 5_000);
  await asker.nats.flush();
  await Promise.all(services.map((service) => service.close()));
  expect(await last).toEqual(verdict);
});
