import { createClient, type ParleyClient } from "@parley/client";
import { startStack, type TestStack } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

let stack: TestStack;
let owner: ParleyClient;
let serverId: string;

beforeAll(async () => {
  // Its own: a limit is reached with few requests.
  stack = await startStack({ gateways: 0, env: { RATE_LIMIT_BOT_RPS: "50" } });
  owner = createClient({ baseUrl: stack.edgeUrl });
  await owner.register({ username: `u_${crypto.randomUUID().slice(0, 8)}`, password: "correct horse" });
  serverId = (await owner.servers.create({ name: "Busy", is_public: true })).id;
});
afterAll(() => stack?.stop());

/** A bot, in as many clients as asked for, with the number of requests that they sent, and a channel for each. */
async function createBot(clients: number) {
  const { token: botToken } = await owner.bots.create({ name: "Busy" });
  const counts = { requests: 0 };
  const counting: typeof fetch = (input, init) => {
    counts.requests += 1;
    return fetch(input, init);
  };
  const bots = Array.from({ length: clients }, () =>
    createClient({ baseUrl: stack.edgeUrl, botToken, fetch: counting }),
  );
  await bots[0]?.servers.join(serverId);
  const channels = await Promise.all(bots.map(() => owner.channels.create(serverId, { name: "general" })));
  counts.requests = 0;
  return { bots, counts, channelIds: channels.map(({ id }) => id) };
}

const numbers = (length: number) => Array.from({ length }, (_, number) => String(number));

async function contentsOf(channelId: string): Promise<string[]> {
  const contents: string[] = [];
  for await (const { content } of owner.pages.messages(channelId)) contents.push(content);
  return contents.reverse();
}

test("a burst over the limit of a bot takes about as many requests, and stays in order", async () => {
  const { bots, counts, channelIds } = await createBot(1);
  const [channelId = ""] = channelIds;
  const sent = numbers(200);
  const reads = Array.from({ length: 200 }, () => bots[0]?.channels.get(channelId));
  await Promise.all([...reads, ...sent.map((content) => bots[0]?.messages.send(channelId, { content }))]);
  expect(counts.requests).toBeLessThanOrEqual(440);
  expect(await contentsOf(channelId)).toEqual(sent);
});

test("messages stay in order where refusals cannot be avoided, because others use the same limit", async () => {
  const { bots, channelIds } = await createBot(2);
  const sent = numbers(60);
  const flood = bots.map((bot, index) =>
    Promise.all([
      ...sent.map((content) => bot.messages.send(channelIds[index] ?? "", { content })),
      ...sent.map(() => bot.users.me()),
    ]),
  );
  await Promise.all(flood);
  for (const channelId of channelIds) expect(await contentsOf(channelId)).toEqual(sent);
});
