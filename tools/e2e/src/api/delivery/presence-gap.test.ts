import { type Channel, VoiceState } from "@parley/contracts";
import type { ServerProcess } from "@parley/local-stack";
import { connectRedis, type RedisConnection } from "@parley/redis";
import {
  connectGateway,
  createChannel,
  createClient,
  createServerWithMembers,
  type GatewayClient,
  joinServer,
  type ServerFixture,
  type UserClient,
  useMortalStack,
  waitUntil,
} from "@parley/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

const mortal = useMortalStack();
/** Two of its own, with a long drain, which soon notice expired graces. No grace ends before a test lets it end. */
let gateways: ServerProcess[];
let redis: RedisConnection;
let fixture: ServerFixture;
let voice: Channel;
/** The owner on the second gateway, with the view of a co-member. */
let watcher: GatewayClient;
const sockets: GatewayClient[] = [];

beforeAll(async () => {
  const env = { RESUME_GRACE_SECONDS: "3600", DRAIN_SECONDS: "60" };
  const presenceTimes = { leaseMs: 3_000, renewIntervalMs: 300, maintainIntervalMs: 300, graceCheckIntervalMs: 100 };
  const own = { env, limits: { presenceTimes } };
  gateways = await Promise.all([mortal.stack.startGateway(own), mortal.stack.startGateway(own)]);
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  redis = await connectRedis({ url: mortal.stack.redis.url, name: "test", logger });
});
afterAll(() => redis?.close());
beforeEach(async () => {
  if (!gateways[0]?.running()) await gateways[0]?.restart();
  fixture = await createServerWithMembers(createClient(mortal.stack.edgeUrl), 0);
  voice = await createChannel(fixture.owner, fixture.server.id, { type: "voice" });
  watcher = await connect(fixture.owner, 1);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
});

const numbered = "&s=";

async function open(user: UserClient, gateway: 0 | 1, more = ""): Promise<GatewayClient> {
  const query = `token=${encodeURIComponent(user.accessToken)}${more}`;
  const socket = connectGateway(gateways[gateway]?.url ?? "", user.accessToken, { query });
  sockets.push(socket);
  return socket;
}

async function connect(user: UserClient, gateway: 0 | 1, more = ""): Promise<GatewayClient> {
  const socket = await open(user, gateway, more);
  await socket.ready;
  return socket;
}

async function newMember(): Promise<UserClient> {
  const member = await createClient(mortal.stack.edgeUrl).register();
  await joinServer(member, fixture.server.id);
  return member;
}

/** The watcher's events about a user, in order: statuses, and the voice channel or null. */
const seenOf = ({ user }: UserClient) =>
  watcher.events.flatMap(({ name, payload }) => {
    const { user_id, status, channel_id } = Object(payload);
    if (user_id !== user.id) return [];
    if (name === "PRESENCE_UPDATE") return [status];
    return name === "VOICE_STATE_UPDATE" ? [channel_id] : [];
  });
const seesOffline = ({ user }: UserClient) =>
  watcher.waitFor("PRESENCE_UPDATE", ({ user_id, status }) => user_id === user.id && status === "offline", {
    timeoutMs: 60_000,
  });

/** A user with a numbered connection, in voice. */
async function enter(gateway: 0 | 1): Promise<{ user: UserClient; socket: GatewayClient }> {
  const user = await newMember();
  const socket = await connect(user, gateway, numbered);
  (await user.post(`/channels/${voice.id}/voice`, {})).expect(201, VoiceState);
  await watcher.waitFor("VOICE_STATE_UPDATE", ({ user_id }) => user_id === user.user.id);
  return { user, socket };
}

/** Ends the graces of these users, once the gateways have noticed their loss, and of everybody who was lost before. */
async function endGraces(users: readonly UserClient[]): Promise<void> {
  const isKept = async ({ user }: UserClient) => (await redis.client.zscore(graces, user.id)) !== null;
  for (const user of users) await waitUntil(() => isKept(user), { what: "the grace to begin" });
  const ended = (await redis.client.zrange(graces, 0, "-1")).flatMap((id) => [0, id]);
  await redis.client.zadd(graces, "XX", ...ended);
  for (const user of users) await seesOffline(user);
}
/** The users in a grace, with its end. */
const graces = "presence:kept";

/** Users who were lost before and have no connection go offline for the watcher. */
async function passGrace(): Promise<void> {
  const { user, socket } = await enter(1);
  socket.terminate();
  await endGraces([user]);
}

const states = async () =>
  (await fixture.owner.get(`/channels/${voice.id}/voice`)).expect(200, z.array(z.looseObject({ user_id: z.string() })));

describe("a numbered client", () => {
  test("a numbered client whose network breaks and who is back on another node was never seen to leave, nor to leave voice", async () => {
    const { user, socket } = await enter(0);
    socket.terminate();
    const back = await connect(user, 1, numbered);
    expect((await back.ready).user.status).toBe("online");
    await passGrace();
    expect(seenOf(user)).toEqual(["online", voice.id]);
    expect((await states()).map(({ user_id }) => user_id)).toEqual([user.user.id]);
  });

  test("a numbered client who does not come back leaves voice and is offline, once, when the grace expires", async () => {
    const { user, socket } = await enter(0);
    socket.terminate();
    await endGraces([user]);
    await passGrace();
    expect(seenOf(user)).toEqual(["online", voice.id, null, "offline"]);
    expect(await states()).toEqual([]);
  });

  test("a numbered client who closes with 1000, 1001 or no code is offline before one who was lost before; another code is a loss", async () => {
    let [lost, other] = [await enter(0), await enter(0)];
    for (const code of [1000, 1001, null]) {
      const { user, socket } = await enter(0);
      lost.socket.terminate();
      await other.socket.close(4000);
      await socket.close(code);
      await seesOffline(user);
      expect(seenOf(user)).toEqual(["online", voice.id, null, "offline"]);
      expect([lost, other].map(({ user: kept }) => seenOf(kept))).toEqual([
        ["online", voice.id],
        ["online", voice.id],
      ]);
      if (code === null) break;
      lost = { user: lost.user, socket: await connect(lost.user, 0, numbered) };
      other = { user: other.user, socket: await connect(other.user, 1, numbered) };
    }
    await endGraces([lost.user, other.user]);
  });

  test("a numbered client whose gateway is killed and who is back was never seen to leave; the others of that gateway were", async () => {
    const { user } = await enter(0);
    const plain = await newMember();
    await connect(plain, 0);
    await gateways[0]?.kill();
    await connect(user, 1, numbered);
    await seesOffline(plain);
    await passGrace();
    expect(seenOf(user)).toEqual(["online", voice.id]);
    expect(seenOf(plain)).toEqual(["online", "offline"]);
  });
});

test("a gateway that stops sends numbered clients away first, and nobody sees those who are back", async () => {
  const clients = [await enter(0), await enter(0)];
  const plain = await newMember();
  const others = await Promise.all(Array.from({ length: 45 }, () => connect(plain, 0)));
  let open = others.length;
  for (const { closed } of others) void closed.then(() => (open -= 1));
  const stopped = gateways[0]?.stop();
  expect(await Promise.all(clients.map(({ socket }) => socket.closed))).toMatchObject([{ code: 1001 }, { code: 1001 }]);
  expect(open).toBeGreaterThan(0);
  await Promise.all(clients.map(({ user }) => connect(user, 1, numbered)));
  await Promise.all(others.map(({ closed }) => closed));
  await stopped;
  await passGrace();
  for (const { user } of clients) expect(seenOf(user)).toEqual(["online", voice.id]);
  expect(seenOf(plain)).toEqual(["online", "offline"]);
});
