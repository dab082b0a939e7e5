import { type EventPayload, presenceStatuses } from "@parley/contracts";
import { createTestDatabase, modelSteps, startNats, startRedis } from "@parley/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createRows,
  type GatewayFixture,
  messageOf,
  openClient,
  publish,
  startGateway,
  type TestClient,
} from "../gateway-fixture.js";

let nodes: readonly [GatewayFixture, GatewayFixture];
let rows: ReturnType<typeof createRows>;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const database = await createTestDatabase();
  const nats = await startNats();
  const redis = await startRedis();
  const urls = { databaseUrl: database.url, natsUrl: nats.url, redisUrl: redis.url };
  nodes = [await startGateway(urls), await startGateway(urls)];
  rows = createRows(nodes[0].database);
  stops.push(nodes[0].stop, nodes[1].stop, nats.stop, redis.stop, database.drop);
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

const targetCount = 4;

interface Watcher {
  userId: string;
  client: TestClient;
  /** The targets that it named last, and how many frames it had when it did. */
  named: ReadonlySet<string>;
  since: number;
  /**
   * Number of its frames when the last naming was answered: earlier presences of others came while it still named them.
   */
  answered: number;
  /** Whether it named targets in this round. */
  hasNamed: boolean;
  /** Those of `named` whose presence it must know: they were related when it was answered or when they changed last. */
  readonly known: Set<string>;
}

interface World {
  targets: readonly string[];
  /** Somebody whom everybody names, to see when all has arrived. */
  beacon: string;
  watchers: readonly [Watcher, Watcher];
  /** The servers that watchers and targets join; everybody else shares another one with the beacon. */
  servers: readonly [Place, Place];
  round: number;
  /** The targets that changed in this round. */
  readonly changed: Set<string>;
}

interface Place {
  server_id: string;
  channel_id: string;
}

type Step = (world: World) => Promise<void>;
const anyNode = fc.constantFrom(0 as const, 1 as const);
const anyTarget = fc.nat(targetCount - 1);
const prisma = () => nodes[0].database.prisma;

const setStatus = fc
  .tuple(anyNode, anyTarget, fc.constantFrom(...presenceStatuses), fc.string({ maxLength: 3, unit: "grapheme-ascii" }))
  .map(
    ([by, target, status, custom_status]): Step =>
      async ({ targets, changed }) => {
        const userId = targets[target] ?? "";
        changed.add(userId);
        await nodes[by].presence.setStatus(userId, { status, custom_status });
      },
  );
const subscribe = fc.tuple(anyNode, fc.uniqueArray(anyTarget)).map(
  ([index, chosen]): Step =>
    async ({ targets, beacon, watchers }) => {
      const watcher = watchers[index];
      const user_ids = chosen.flatMap((target) => targets[target] ?? []);
      watcher.named = new Set(user_ids);
      watcher.since = watcher.client.frames.length;
      watcher.hasNamed = true;
      watcher.known.clear();
      watcher.client.send({ op: "PRESENCE_SUBSCRIBE", d: { user_ids: [...user_ids, beacon] } });
    },
);
/** Changes which users are related; takes effect before the next steps. */
const targetMoves = fc.tuple(anyTarget, anyNode).map(
  ([target, place]): Step =>
    async ({ targets, servers }) => {
      const key = { server_id: servers[place].server_id, user_id: targets[target] ?? "" };
      const { count } = await prisma().member.deleteMany({ where: key });
      if (count === 0) await prisma().member.create({ data: key });
    },
);
const watcherJoins = fc.tuple(anyNode, anyNode).map(
  ([index, place]): Step =>
    async ({ watchers, servers }) => {
      const { userId, client } = watchers[index];
      const { server_id, channel_id } = servers[place];
      const key = { server_id, user_id: userId };
      if ((await prisma().member.count({ where: key })) > 0) return;
      await rows.member(server_id, userId);
      await publish(nodes[0].messaging, "SERVER_JOINED", { user_id: userId }, key);
      const message = messageOf(channel_id, "joined");
      await publish(nodes[0].messaging, "MESSAGE_CREATE", { server_id, channel_id }, message);
      await client.receive("MESSAGE_CREATE", ({ id }) => id === message.id);
    },
);
const opensChannel = fc.tuple(anyNode, anyTarget).map(
  ([index, target]): Step =>
    async ({ watchers, targets }) => {
      const { userId, client } = watchers[index];
      const other = targets[target] ?? "";
      const [user_low = "", user_high = ""] = [userId, other].sort();
      if ((await prisma().dmChannel.count({ where: { user_low, user_high } })) > 0) return;
      const { id } = await prisma().dmChannel.create({ data: { user_low, user_high } });
      await publish(nodes[0].messaging, "DM_CHANNEL_CREATE", { user_id: userId }, channelWith(other, id));
      await client.receive("DM_CHANNEL_CREATE", (d) => d.id === id);
    },
);

function channelWith(userId: string, id: string): EventPayload<"DM_CHANNEL_CREATE"> {
  const created_at = new Date().toISOString();
  const nothing = { email: null, avatar_url: null, bio: null, pronouns: null, custom_status: null, activity: null };
  const state = { status: "offline", is_admin: false } as const;
  const recipient = { id: userId, username: "partner", ...nothing, ...state, created_at };
  return { id, recipient, created_at, last_message_at: null };
}

async function createWorld(): Promise<World> {
  const beacon = await rows.user();
  const targets = await Promise.all(Array.from({ length: targetCount }, () => rows.user()));
  const createPlace = async () => {
    const server_id = await rows.server(await rows.user());
    return { server_id, channel_id: await rows.channel(server_id) };
  };
  const createWatcher = async (node: GatewayFixture): Promise<Watcher> => {
    const userId = await rows.user();
    await rows.server(beacon, [userId]);
    const query = `token=${node.accessTokens.issue({ userId })}&presence=subscribed`;
    const client = openClient(node, query);
    await client.receive("READY");
    client.send({ op: "PRESENCE_SUBSCRIBE", d: { user_ids: [beacon] } });
    return { userId, client, named: new Set(), since: 0, answered: 0, hasNamed: false, known: new Set() };
  };
  const watchers = [await createWatcher(nodes[0]), await createWatcher(nodes[1])] as const;
  const servers = [await createPlace(), await createPlace()] as const;
  return { targets, beacon, watchers, servers, round: 0, changed: new Set() };
}

/** The presences of a target behind the first `since` frames. */
const heard = ({ client }: Watcher, target: string, since: number) =>
  client.frames.slice(since).filter(({ t, d }) => t === "PRESENCE_UPDATE" && d.user_id === target);

async function expectTruth(world: World): Promise<void> {
  const { targets, beacon, watchers, changed } = world;
  await Promise.all(watchers.map(({ client }) => client.settled()));
  for (const watcher of watchers) {
    // Every naming names the beacon, so its presence is part of the answer; no other event carries it before the rounds
    // below.
    if (watcher.hasNamed) watcher.answered = watcher.client.frames.findLastIndex(({ d }) => d?.user_id === beacon);
  }
  for (const node of nodes) {
    world.round += 1;
    const custom_status = `round ${world.round}`;
    await node.presence.setStatus(beacon, { status: "online", custom_status });
    for (const { client } of watchers) {
      await client.receive("PRESENCE_UPDATE", (d) => d.user_id === beacon && d.custom_status === custom_status);
    }
  }
  for (const watcher of watchers) {
    for (const target of targets) {
      const { status, custom_status } = await prisma().user.findUniqueOrThrow({ where: { id: target } });
      const { isComember, isPartner } = await relationOf(watcher.userId, target);
      const isNamed = watcher.named.has(target);
      if (isNamed && (watcher.hasNamed || changed.has(target))) {
        if (isComember || isPartner) watcher.known.add(target);
        else watcher.known.delete(target);
      }
      const last = heard(watcher, target, watcher.since).at(-1)?.d;
      if (watcher.known.has(target)) {
        if (last === undefined) expect(status).toBe("offline");
        else expect(last).toMatchObject({ status, custom_status });
      } else if (!isNamed && !isPartner) {
        expect(heard(watcher, target, watcher.answered)).toEqual([]);
      }
    }
    watcher.hasNamed = false;
  }
  changed.clear();
}

async function relationOf(one: string, other: string) {
  const serversOf = (user_id: string) => prisma().member.findMany({ where: { user_id } });
  const [own, theirs] = [await serversOf(one), new Set((await serversOf(other)).map(({ server_id }) => server_id))];
  const [user_low = "", user_high = ""] = [one, other].sort();
  return {
    isComember: own.some(({ server_id }) => theirs.has(server_id)),
    isPartner: (await prisma().dmChannel.count({ where: { user_low, user_high } })) > 0,
  };
}

test("a connection is shown the truth about the related users that it named, whatever happens at once", async () => {
  const round = fc.record({
    before: fc.oneof(targetMoves, watcherJoins, opensChannel),
    together: fc.array(fc.oneof({ weight: 3, arbitrary: setStatus }, { weight: 2, arbitrary: subscribe }), {
      minLength: 1,
      maxLength: 8,
    }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 6 }), async (rounds) => {
      const world = await createWorld();
      for (const { before, together } of rounds) {
        await before(world);
        await Promise.all(together.map((step) => step(world)));
        await expectTruth(world);
      }
      await Promise.all(world.watchers.map(({ client }) => client.close()));
    }),
    { numRuns: modelSteps(30) },
  );
}, 240_000);
