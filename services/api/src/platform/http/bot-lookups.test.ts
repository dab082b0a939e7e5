import { randomUUID } from "node:crypto";
import type { Identity } from "@parley/auth";
import { connectRedis, createTokenBucket, type RedisConnection } from "@parley/redis";
import { startRedis } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBotLookups } from "./bot-lookups.js";

const burst = 5;
const logger = { info: () => undefined, warn: () => undefined };

let server: Awaited<ReturnType<typeof startRedis>>;
let redis: RedisConnection;
beforeAll(async () => {
  server = await startRedis();
  redis = await connectRedis({ url: server.url, name: "lookups", logger });
});
afterAll(async () => {
  await redis?.close();
  await server?.kill();
});

/** Two processes with one bucket that no time refills, and a database whose look-ups are counted. */
function twoProcesses(found: Identity | null) {
  const counted = { lookups: 0 };
  const bucket = () => createTokenBucket({ redis, name: "bot-lookup", ratePerSecond: 0.0001, burst });
  const processes = [1, 2].map(() => createBotLookups({ bucket: bucket() }));
  const confirm = async () => {
    counted.lookups += 1;
    return found;
  };
  const askAtOnce = (times: number, address: string, authorization: () => string) =>
    Promise.all(
      Array.from({ length: times }, async (_, n) => {
        const by = processes[n % 2] ?? expect.fail();
        return await by.confirm({ named: null, bot: true, confirm }, { address, authorization: authorization() });
      }),
    );
  return { counted, askAtOnce };
}

const same = `Bot ${randomUUID()}`;

test.each([
  ["each another one", () => `Bot ${randomUUID()}`],
  ["always the same", () => same],
])(
  "invalid credentials of bots, %s, use up what their address may look up, and none is looked up after that",
  async (_, authorization) => {
    const { counted, askAtOnce } = twoProcesses(null);
    const address = randomUUID();
    const answers = await askAtOnce(4 * burst, address, authorization);
    expect(answers.filter((answer) => "refused" in answer)).toHaveLength(3 * burst);
    expect(counted.lookups).toBe(burst);
    await askAtOnce(burst, address, authorization);
    expect(counted.lookups).toBe(burst);
    expect(await askAtOnce(1, randomUUID(), authorization)).toEqual([{ identity: null }]);
  },
);

test("credentials that are bots' use up nothing", async () => {
  const bot: Identity = {
    kind: "bot",
    userId: randomUUID(),
    sessionVersion: 0,
    botId: randomUUID(),
    viaStaticToken: true,
  };
  const { askAtOnce } = twoProcesses(bot);
  const answers = await askAtOnce(4 * burst, randomUUID(), () => `Bot ${randomUUID()}`);
  expect(answers).toEqual(Array(4 * burst).fill({ identity: bot }));
});
