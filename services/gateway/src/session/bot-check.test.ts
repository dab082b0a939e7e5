import { createLogger } from "@parley/service-runtime";
import {
  createGate,
  createTestDatabase,
  type NatsProxy,
  startNats,
  startNatsProxy,
  startRedis,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRows, type GatewayFixture, openClient, startGateway } from "../gateway-fixture.js";
import { startBotCheck } from "./bot-check.js";

let proxy: NatsProxy;
/** Two nodes: one that asks all the time, and one that only asks when NATS is back. */
let often: GatewayFixture;
let seldom: GatewayFixture;
let rows: ReturnType<typeof createRows>;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const database = await createTestDatabase();
  const nats = await startNats();
  const redis = await startRedis();
  proxy = await startNatsProxy(nats.url);
  const dependencies = { databaseUrl: database.url, redisUrl: redis.url };
  often = await startGateway({ ...dependencies, natsUrl: nats.url, botCheckMs: 50 });
  seldom = await startGateway({ ...dependencies, natsUrl: proxy.url });
  rows = createRows(often.database);
  stops.push(often.stop, seldom.stop, proxy.close, nats.stop, redis.stop, database.drop);
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

/** A connection of a bot, and its account. */
async function connectBot(fixture: GatewayFixture) {
  const userId = await rows.bot(await rows.user());
  const client = openClient(fixture, `token=${fixture.accessTokens.issue({ userId, bot: true })}`);
  await client.receive("READY");
  return { userId, client };
}

/** As an api does whose event was lost. */
const revoke = (user_id: string) =>
  often.database.prisma.bot.update({ where: { user_id }, data: { revoked_at: new Date() } });

describe("bots that are connected", () => {
  test("bots that are connected are closed when they were revoked without anybody having said so, the others are not", async () => {
    const [kept, revoked] = [await connectBot(often), await connectBot(often)];
    await revoke(revoked.userId);
    expect(await revoked.client.closed).toBe(1000);
    await kept.client.settled();
    await kept.client.close();
  });

  test("bots that are connected are closed when they were given another token without anybody having said so, but not what it opened", async () => {
    const { userId, client } = await connectBot(often);
    await often.database.prisma.user.update({ where: { id: userId }, data: { session_version: 1 } });
    const session = { id: null, version: 1 };
    const fresh = openClient(often, `token=${often.accessTokens.issue({ userId, bot: true, session })}`);
    await fresh.receive("READY");
    expect(await client.closed).toBe(1000);
    await fresh.settled();
    await fresh.close();
  });

  test("bots that are connected are asked about when NATS is back", async () => {
    const { userId, client } = await connectBot(seldom);
    proxy.cut();
    await waitUntil(() => !seldom.messaging.connected);
    await revoke(userId);
    proxy.restore();
    expect(await client.closed).toBe(1000);
  });

  test("bots that are connected are asked about again when NATS comes back during a check", async () => {
    const userId = await rows.bot(await rows.user());
    const answered = createGate();
    const returned = createGate();
    const closed = createGate();
    let reconnected: (connected: boolean) => void = () => undefined;
    let answers = 0;
    const stop = startBotCheck({
      connections: () => [{ isBot: true, userId, sessionVersion: 0, closeForGood: closed.open }],
      database: {
        async query(...question) {
          const answer = await often.database.query(...question);
          if (++answers > 1) return answer;
          answered.open();
          await returned.opened;
          return answer;
        },
      },
      messaging: {
        onConnectionChange(listener) {
          reconnected = listener;
          return () => undefined;
        },
      },
      logger: createLogger({ service: "gateway", level: "silent", nodeId: "test" }),
    });
    reconnected(true);
    await answered.opened;
    await revoke(userId);
    reconnected(true);
    returned.open();
    await closed.opened;
    stop();
  });
});
