import { setImmediate as turn } from "node:timers/promises";
import { storedRange } from "@parley/messaging";
import { createRandom, createTestDatabase, modelSteps, seed, startNats, startRedis, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GatewayFixture, startGateway } from "../gateway-fixture.js";
import { lockRoles } from "./lock-roles-fixture.js";
import { ModelClient } from "./model-clients-fixture.js";
import { type Cutter, startCutter } from "./model-cutter-fixture.js";
import { createModelWorld, type ModelPair, type ModelWorld, type Place } from "./model-world-fixture.js";

/** How long the world goes on at random; longer by the environment. */
const worldMs = Number(process.env.CONTINUING_MODEL_MS ?? modelSteps(10_000));
/** However slow the machine is. */
const stepsMin = modelSteps(1_000);
/** From one outage to the next, in turn. */
const outageEveryMs = worldMs / 5;
const sizes = { users: 6, servers: 5 };

let urls: { databaseUrl: string; natsUrl: string; redisUrl: string };
/** The gateway of the clients that never disconnect. */
let steady: GatewayFixture;
/** The gateways of the clients that are compared with them. */
let nodes: GatewayFixture[];
let nats: Awaited<ReturnType<typeof startNats>>;
let redis: Awaited<ReturnType<typeof startRedis>>;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const database = await createTestDatabase();
  [nats, redis] = [await startNats(), await startRedis()];
  urls = { databaseUrl: database.url, natsUrl: nats.url, redisUrl: redis.url };
  steady = await startGateway(urls);
  nodes = [await startGateway(urls), await startGateway(urls)];
  stops.push(steady.stop, ...nodes.map((_, index) => async () => nodes[index]?.stop()));
  stops.push(nats.stop, redis.stop, database.drop);
});

afterAll(async () => {
  for (const stop of stops) await stop();
});

test(
  `numbered clients see what clients that never disconnect see, with seed ${seed}`,
  async () => {
    const random = createRandom(seed);
    const world = await createModelWorld(steady, sizes, random);
    const cutters = await Promise.all(
      nodes.map((_, index) =>
        startCutter(
          () => nodes[index]?.url ?? "",
          () => (random() < 0.5 ? Number.POSITIVE_INFINITY : Math.ceil(random() ** 3 * 30_000)),
        ),
      ),
    );
    const pairs = world.userIds.map((userId, index): ModelPair => {
      const hearsChanges = index % 2 === 1;
      const anyNode = () => ({ url: world.pick(cutters).url, accessTokens: steady.accessTokens });
      const client = new ModelClient(userId, anyNode, world, hearsChanges);
      return { userId, oracle: new ModelClient(userId, () => steady, world, hearsChanges), client };
    });
    const clients = pairs.map(({ client }) => client);
    for (const { oracle, client } of pairs) for (const one of [oracle, client]) one.start();
    await waitUntil(() => pairs.every(({ oracle, client }) => oracle.isConnected && client.isConnected), {
      what: "everybody",
    });
    const steps = await runWorld({ world, pairs, cutters, random });
    for (const place of world.places()) await world.post(place);
    for (const userId of world.userIds) await world.sendDm(userId);
    const isSettled = () => world.lanes().every((lane) => pairs.every((pair) => world.isSettled(lane, pair)));
    await waitUntil(() => clients.every(({ isConnected }) => isConnected) && isSettled(), {
      timeoutMs: 60_000,
      what: `the last messages, seed ${seed}`,
    });
    const resumed = clients.reduce((sum, client) => sum + client.resumed, 0);
    const counts = `${steps} steps, ${world.posted()} messages, ${resumed} continued`;
    process.stdout.write(`continuing model: seed ${seed}, ${counts}\n`);
    const knowsServers = ({ userId, oracle, client }: ModelPair) =>
      [oracle, client].every((one) => !one.hearsChanges || isSame(one.servers, world.serversOf(userId)));
    await waitUntil(() => pairs.every(knowsServers), { what: `the servers of those who hear changes, seed ${seed}` });
    for (const pair of pairs) expectSame(world, pair);
    expect(resumed).toBeGreaterThan(0);
    for (const { oracle, client } of pairs) for (const one of [oracle, client]) await one.stop();
    for (const cutter of cutters) await cutter.close();
  },
  240_000 + 3 * worldMs,
);

interface Run {
  world: ModelWorld;
  pairs: readonly ModelPair[];
  cutters: readonly Cutter[];
  random: () => number;
}

/** Lets things happen for a while, each outage at least once; returns their number. */
async function runWorld({ world, pairs, cutters, random }: Run): Promise<number> {
  const { pick } = world;
  let release: (() => Promise<unknown>) | null = null;
  /** Servers whose permissions cannot be read at the moment. */
  const held = new Set<string>();
  const unhold = async () => {
    await release?.();
    release = null;
    held.clear();
  };
  const changeMembership = async () => {
    await unhold();
    const { server_id } = pick(world.places());
    // An event that is under way when a membership changes may reach one node's clients and not the other's.
    await waitUntil(() => pairs.every((pair) => world.isSettled(server_id, pair)), {
      what: `settled, seed ${seed}`,
    });
    await world.changeMembership(server_id, pick(world.userIds));
  };
  const changeRights = async () => {
    const place = pick(world.places());
    if (random() >= 0.6) {
      await holdUp(place);
      return;
    }
    // The rows that change depend on the table that may be locked.
    await unhold();
    await world.changeVisibility(place, pick(pairs), pairs, null);
  };
  /** A user's rights in a server change many times while their client is away. */
  const changeRightsWhileAway = async () => {
    await unhold();
    const [pair, { server_id }] = [pick(pairs), pick(world.places())];
    const places = world.places().filter((place) => place.server_id === server_id);
    await pair.client.leave();
    for (let count = Math.ceil(random() * 16); count > 0; count--) {
      if (random() < 0.6) {
        await world.post(pick(places));
        continue;
      }
      await world.passedOn(server_id, pair);
      await world.changeVisibility(pick(places), pair, pairs, pair);
    }
    world.judgeByRightsOfNow(pair);
    pair.client.comeBack();
    await waitUntil(() => pair.client.isConnected, { what: `who was away, seed ${seed}` });
  };
  /** One server's events wait, another's overtake them, and some of those who received these are cut off. */
  const holdUp = async (place: Place) => {
    release ??= await lockRoles(steady);
    held.add(place.server_id);
    await world.reloadRights(place);
    await world.post(place);
    const others = world.places().filter(({ server_id }) => !held.has(server_id));
    if (others.length === 0) return;
    const { number, recipients } = await world.post(pick(others));
    for (const { userId, client } of pairs) if (recipients.has(userId) && random() < 0.5) client.cutBehind = number;
  };
  const outages = [
    () => restartNode(pick([0, 1]), cutters, random() < 0.5),
    restartNats,
    async () => {
      await redis.kill();
      for (const { client } of pairs) if (random() < 0.5) client.cut();
      await world.post(pick(world.places()));
      await redis.restart();
    },
    () => restartNode(pick([0, 1]), cutters, true),
  ];
  const startedAt = performance.now();
  let [steps, outage] = [0, 0];
  const isOver = (elapsed: number) => elapsed >= worldMs && outage >= outages.length && steps >= stepsMin;
  for (let elapsed = 0; !isOver(elapsed); elapsed = performance.now() - startedAt) {
    steps += 1;
    const choice = random();
    if (choice < 0.6) await world.post(pick(world.places()));
    else if (choice < 0.7) await world.sendDm(pick(world.userIds));
    else if (choice < 0.82) pick(pairs).client.cut();
    else if (choice < 0.9) await changeRights();
    else if (choice < 0.94) await changeRightsWhileAway();
    else if (choice < 0.98) await unhold();
    else await changeMembership();
    if (elapsed > (outage + 1) * outageEveryMs) {
      await unhold();
      await outages[outage % outages.length]?.();
      outage += 1;
    }
    await turn();
  }
  await unhold();
  return steps;
}

/** Ends a node, with a farewell to its clients or without, and starts it anew. */
async function restartNode(index: number, cutters: readonly Cutter[], isSudden: boolean): Promise<void> {
  if (isSudden) cutters[index]?.kill();
  await nodes[index]?.stop();
  nodes[index] = await startGateway(urls);
  cutters[index]?.revive();
}

async function restartNats(): Promise<void> {
  await nats.kill();
  await nats.restart();
  const hasStream = () =>
    storedRange(steady.messaging).then(
      () => true,
      () => false,
    );
  await waitUntil(hasStream, { what: "the stream" });
}

function isSame(one: ReadonlySet<unknown>, other: readonly unknown[]): boolean {
  return one.size === other.length && other.every((item) => one.has(item));
}

/** The client has the same events as its oracle since it began anew, each once and in order. */
function expectSame(world: ModelWorld, pair: ModelPair): void {
  const { client, oracle, userId } = pair;
  const who = `user ${world.userIds.indexOf(userId)}, seed ${seed}`;
  expect(oracle.resyncs, who).toEqual([]);
  expect(world.sawLost(pair), who).toEqual([]);
  for (const { strays } of [oracle, client]) expect(strays, who).toEqual([]);
  expect(new Set(client.resyncs), who).toEqual(new Set(client.resyncs.length > 0 ? ["membership"] : []));
  for (const lane of world.lanes()) {
    const [own, all] = [world.sawIn(lane, pair, client), world.sawIn(lane, pair, oracle)];
    // The stream has them in the order of their numbers.
    expect(own.all, who).toEqual([...new Set(own.all)].sort((one, other) => one - other));
    expect(own.certain, who).toEqual(own.certain.length === 0 ? [] : all.certain.slice(-own.certain.length));
    const due = all.certain.filter((number) => number > client.readyAt);
    expect(
      due.filter((number) => !own.certain.includes(number)),
      who,
    ).toEqual([]);
  }
}
