import { setTimeout as pause } from "node:timers/promises";
import { Message } from "@parley/contracts";
import { createClient, type RestClient, startStack, type TestStack, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGuardedServer } from "../stages/automod-stage.js";

let stack: TestStack;
let client: RestClient;

beforeAll(async () => {
  // The contract's half second, and not the patience of other tests.
  stack = await startStack({ apis: 2, gateways: 1, automods: 2, env: { AUTOMOD_TIMEOUT_MS: "500" } });
  client = createClient(stack.edgeUrl);
});
afterAll(() => stack?.stop());

test("killed under load, automod refuses nothing for its outage and judges every message exactly once", async () => {
  const { author, owner, channel, logs } = await createGuardedServer(client, { word_filter_enabled: true }, ["bad"]);
  const sent: Promise<{ content: string; status: number }>[] = [];
  const send = async (content: string) => {
    const { status } = await author.post(`/channels/${channel.id}/messages`, { content });
    return { content, status };
  };
  // 50 messages a second for six seconds; every fifth breaks a rule.
  const traffic = (async () => {
    const startedAt = performance.now();
    for (let index = 0; index < 300; index += 1) {
      await pause(Math.max(0, startedAt + index * 20 - performance.now()));
      sent.push(send(index % 5 === 0 ? `bad ${index}` : `good ${index}`));
    }
  })();
  const midway = (count: number) => waitUntil(() => sent.length >= count, { timeoutMs: 20_000 });
  await midway(75);
  await Promise.all(stack.automods.map((automod) => automod.kill()));
  await midway(200);
  await Promise.all(stack.automods.map((automod) => automod.restart()));
  const backAt = performance.now();
  await traffic;
  const answers = await Promise.all(sent);

  const bad = answers.filter(({ content }) => content.startsWith("bad"));
  expect(answers.filter(({ content, status }) => content.startsWith("good") && status !== 201)).toEqual([]);
  expect(bad.filter(({ status }) => status !== 201 && status !== 403)).toEqual([]);
  const accepted = bad.filter(({ status }) => status === 201);
  expect(accepted.length).toBeGreaterThan(10);
  expect(accepted.length).toBeLessThan(bad.length);
  const historyOf = async () => {
    const contents = [];
    for (let before = ""; ; ) {
      const path = `/channels/${channel.id}/messages?limit=100${before}`;
      const page = (await owner.get(path)).expect(200, Message.array());
      contents.push(...page.map(({ content }) => content));
      const last = page.at(-1);
      if (page.length < 100 || last === undefined) return contents.sort();
      before = `&before=${last.id}`;
    }
  };
  // A check whose answer was lost has logged its message already, which is then deleted by the late verdict.
  const good = answers.flatMap(({ content }) => (content.startsWith("good") ? content : [])).sort();
  const timeoutMs = 10_000 - (performance.now() - backAt);
  await waitUntil(async () => (await logs()).length >= bad.length && (await historyOf()).length <= good.length, {
    timeoutMs,
    what: "every breaking message to be logged and deleted",
  });
  const logged = (await logs()).map(({ message_content }) => message_content);
  expect(logged.sort()).toEqual(bad.map(({ content }) => content).sort());
  expect(await historyOf()).toEqual(good);
});
