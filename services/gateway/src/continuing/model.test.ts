import { randomInt } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { storedRange } from "@parley/messaging";
import { createTestDatabase, startNats, startRedis, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRows, type GatewayFixture, messageOf, publish, startGateway } from "../gateway-fixture.js";
import { holdRoles } from "../numbered/hold-roles-fixture.js";
import { createRandom, ModelClient } from "./model-clients-fixture.js";

/** How long the world goes on at random. */
const worldMs = Number(process.env.CONTINUING_MODEL_MS ?? 8_000);
const [userCount, serverCount] = [6, 5];
const seed = Number(process.env.CONTINUING_MODEL_SEED ?? randomInt(2 ** 31));

type Place = { server_id: string; channel_id: string };

let urls: { databaseUrl: string; natsUrl: string; redisUrl: string };
/** The first has the clients that never disconnect, the others those that are compared with them. */
let nodes: GatewayFixture[];
let nats: Awaited<ReturnType<typeof startNats>>;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const database = await createTestDatabase();
  nats = await startNats();
  const redis = await startRedis();
  urls = { databaseUrl: database.url, natsUrl: nats.url, redisUrl: redis.url };
  nodes = [await startGateway(urls), await startGateway(urls), await startGateway(urls)];
  stops.push(...nodes.map((_, index) => async () => nodes[index]?.stop()), nats.stop, redis.stop, database.drop);
});

afterAll(async () => {
  for (const stop of stops) await stop();
});

it(`numbered clients see what clients that never disconnect see, with seed ${seed}`, async () => {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => {
    const item = list[Math.floor(random() * list.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  };
  const steady = nodes[0];
  if (steady === undefined) throw new Error("no node");
  const rows = createRows(steady.database);
  const userIds: string[] = [];
  for (let count = 0; count < userCount; count++) userIds.push(await rows.user());
  const ownerId = await rows.user();
  const places: Place[] = [];
  /** The members of each server, with the number of the last message that was posted when they joined. */
  const members = new Map<string, Map<string, number>>();
  for (let count = 0; count < serverCount; count++) {
    const chosen = userIds.filter(() => random() < 0.7);
    const server_id = await rows.server(ownerId, chosen);
    members.set(server_id, new Map(chosen.map((userId) => [userId, 0])));
    for (let channel = 0; channel < 2; channel++) places.push({ server_id, channel_id: await rows.channel(server_id) });
  }
  const laneOf = (channelId: string) => places.find(({ channel_id }) => channel_id === channelId)?.server_id ?? "";
  let posted = 0;
  const clientsOn = (nodeOf: () => GatewayFixture) =>
    userIds.map((userId) => new ModelClient(userId, nodeOf, laneOf, () => posted));
  const oracles = clientsOn(() => steady);
  const clients = clientsOn(() => nodes[1 + Math.floor(Math.random() * (nodes.length - 1))] ?? steady);
  for (const client of [...oracles, ...clients]) client.start();
  await waitUntil(() => [...oracles, ...clients].every(({ isConnected }) => isConnected), { what: "everybody" });

  /** The last number posted in each server and to each user. */
  const last = new Map<string, number>();
  const post = async (place: Place) => {
    posted += 1;
    last.set(place.server_id, posted);
    await publish(steady.messaging, "MESSAGE_CREATE", place, messageOf(place.channel_id, `${posted}`));
  };
  const sendDm = async (user_id: string) => {
    posted += 1;
    last.set(user_id, posted);
    const content = `${posted}`;
    const payload = { id: user_id, channel_id: user_id, author_id: null, content, edited_at: null };
    const created_at = new Date().toISOString();
    await publish(steady.messaging, "DM_MESSAGE_CREATE", { user_id }, { ...payload, created_at });
  };
  const hasLatest = ({ userId, seen, readyAt }: ModelClient, lane: string) => {
    const number = last.get(lane) ?? 0;
    const joinedAt = lane === userId ? 0 : (members.get(lane)?.get(userId) ?? number);
    return (
      number <= Math.max(joinedAt, readyAt) || seen.some((event) => event.lane === lane && event.number === number)
    );
  };
  const settled = (lane: string) => [...oracles, ...clients].every((client) => hasLatest(client, lane));

  let release: (() => Promise<unknown>) | null = null;
  const unhold = async () => {
    await release?.();
    release = null;
  };
  const changeMembership = async () => {
    await unhold();
    const { server_id } = pick(places);
    const user_id = pick(userIds);
    // What is under way when a membership changes may reach one node's clients and not the other's.
    await waitUntil(() => settled(server_id), { what: `settled, seed ${seed}`, timeoutMs: 15_000 });
    const ofServer = members.get(server_id);
    const isMember = ofServer?.delete(user_id) === true;
    if (isMember) await rows.endMember(server_id, user_id);
    else await rows.member(server_id, user_id);
    if (!isMember) ofServer?.set(user_id, posted);
    const name = isMember ? "SERVER_LEFT" : "SERVER_JOINED";
    await publish(steady.messaging, name, { user_id }, { server_id, user_id });
  };
  const restartNode = async () => {
    const index = 1 + Math.floor(random() * (nodes.length - 1));
    await unhold();
    await nodes[index]?.stop();
    nodes[index] = await startGateway(urls);
  };
  const changeRights = async () => {
    const { server_id } = pick(places);
    if (release === null && random() < 0.5) release = await holdRoles(steady);
    // Every node reads the server's permissions again before it passes on what follows in its channels.
    await publish(steady.messaging, "ROLE_DELETE", { server_id }, { server_id, role_id: server_id });
  };

  const until = performance.now() + worldMs;
  let [restarts, steps] = [0, 0];
  while (performance.now() < until) {
    steps += 1;
    const choice = random();
    if (choice < 0.6) await post(pick(places));
    else if (choice < 0.7) await sendDm(pick(userIds));
    else if (choice < 0.85) pick(clients).cut();
    else if (choice < 0.9) await changeRights();
    else if (choice < 0.96) await unhold();
    else if (choice < 0.99) await changeMembership();
    else if (restarts < 3) {
      restarts += 1;
      await restartNode();
    }
    await turn();
  }
  await unhold();
  await nats.kill();
  await nats.restart();
  const hasStream = () =>
    storedRange(steady.messaging).then(
      () => true,
      () => false,
    );
  await waitUntil(hasStream, { timeoutMs: 15_000, what: "the stream" });
  for (const place of places) await post(place);
  for (const userId of userIds) await sendDm(userId);
  await waitUntil(() => clients.every(({ isConnected }) => isConnected) && [...last.keys()].every(settled), {
    timeoutMs: 20_000,
    what: `the last messages, seed ${seed}`,
  });
  const resumed = clients.reduce((sum, client) => sum + client.resumed, 0);
  process.stdout.write(`continuing model: seed ${seed}, ${steps} steps, ${posted} messages, ${resumed} continued\n`);
  for (const [index, client] of clients.entries()) {
    const oracle = oracles[index];
    expect(new Set(client.resyncs)).toEqual(new Set(client.resyncs.length > 0 ? ["membership"] : []));
    for (const lane of last.keys()) {
      const numbersOf = (one: ModelClient | undefined) =>
        (one?.seen ?? []).flatMap((event) => (event.lane === lane ? [event.number] : []));
      const [own, all] = [numbersOf(client), numbersOf(oracle)];
      expect(own, `user ${index}, seed ${seed}`).toEqual(own.length === 0 ? [] : all.slice(-own.length));
      const due = all.filter((number) => number > client.readyAt);
      expect(
        due.filter((number) => !own.includes(number)),
        `user ${index}, seed ${seed}`,
      ).toEqual([]);
    }
  }
  expect(oracles.flatMap(({ resyncs }) => resyncs)).toEqual([]);
  expect(resumed).toBeGreaterThan(0);
  for (const client of [...oracles, ...clients]) await client.stop();
}, 120_000);
