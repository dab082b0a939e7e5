import { randomUUID } from "node:crypto";
import { SentMessage } from "@parley/contracts";
import { connectDatabase, type Database } from "@parley/database/prisma";
import {
  connectGateway,
  createClient,
  createServerWithMembers,
  type GatewayClient,
  type MortalStack,
  type RestClient,
  type ServerFixture,
  startNatsProxy,
  startTcpProxy,
  type UserClient,
  type Users,
  useMortalStack,
  waitUntil,
} from "@parley/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { nonceEndpoints } from "./nonce-endpoints.js";

const mortal = useMortalStack();
let stack: MortalStack;
let database: Database;
let client: RestClient;
let fixture: ServerFixture<Users<1>>;
let author: UserClient;
/** The author at one api and at the other. */
let first: RestClient;
let second: RestClient;
const sockets: GatewayClient[] = [];
const silent = { info() {}, warn() {}, error() {} };

beforeAll(async () => {
  ({ stack } = mortal);
  database = await connectDatabase({ url: stack.databaseUrl, poolMax: 2, applicationName: "test", logger: silent });
  client = createClient(stack.edgeUrl);
});
beforeEach(async () => {
  fixture = await createServerWithMembers(client, 1);
  const [member] = fixture.members;
  author = member;
  [first, second] = [through(0, author), through(1, author)];
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});
afterAll(async () => {
  await database?.close();
});

function through(api: 0 | 1, user: UserClient, prefix: "" | "/api" = ""): RestClient {
  return createClient(stack.apis[api]?.url ?? "", { prefix, authorization: `Bearer ${user.accessToken}` });
}

/** A connection of the user to each gateway. */
async function listen(user: UserClient): Promise<GatewayClient[]> {
  const opened = stack.gateways.map(({ url }) => connectGateway(url, user.accessToken));
  sockets.push(...opened);
  await Promise.all(opened.map(({ ready }) => ready));
  return opened;
}

const send = (by: RestClient, fields: object, channelId = fixture.channel.id) =>
  by.post(`/channels/${channelId}/messages`, fields);
const createEvents = ["MESSAGE_CREATE", "THREAD_MESSAGE_CREATE", "DM_MESSAGE_CREATE"];
const created = (socket: GatewayClient) => socket.events.filter(({ name }) => createEvents.includes(name));

test("the row of a nonce is removed once it is old", async () => {
  (await send(first, { content: "x", nonce: "n" })).expect(201, SentMessage);
  const where = { author_id: author.user.id };
  await database.prisma.messageNonce.updateMany({ where, data: { created_at: new Date(Date.now() - 26 * 3_600_000) } });
  const api = await stack.startApi();
  const isGone = async () => (await database.prisma.messageNonce.count({ where })) === 0;
  await waitUntil(isGone, { what: "the removal of the nonce" });
  await api.stop();
});

test("a message whose api is killed between commit and answer is sent once when the request is repeated", async () => {
  const prepared = await Promise.all(Object.values(nonceEndpoints).map((prepare) => prepare({ fixture, author })));
  const sendings = prepared.map((each) => ({ ...each, nonce: randomUUID() }));
  const listeners = await listen(fixture.owner);
  const proxy = await startNatsProxy(stack.nats.url);
  try {
    const dying = await stack.startApi({ natsUrl: proxy.url });
    // Its answers are lost: without NATS it would answer some moments after the commit, perhaps before it is killed.
    const way = await startTcpProxy(dying.url, () => ({ toClient: () => undefined }));
    onTestFinished(way.close);
    const marks = listeners.map(created).map(({ length }) => length);
    proxy.hold(true);
    const by = createClient(`http://127.0.0.1:${way.port}`, { authorization: `Bearer ${author.accessToken}` });
    const unanswered = sendings.map(({ path, body, nonce }) =>
      by.post(path, { ...body, nonce }).catch(() => "no answer"),
    );
    const where = { nonce: { in: sendings.map(({ nonce }) => nonce) } };
    const committed = async () => (await database.prisma.messageNonce.count({ where })) === sendings.length;
    await waitUntil(committed, { what: "the commits" });
    await dying.kill();
    expect(await Promise.all(unanswered)).toEqual(sendings.map(() => "no answer"));
    const pairs: [repetition: string, later: string][] = [];
    for (const { path, body, nonce } of sendings) {
      const repetition = (await first.post(path, { ...body, nonce })).expect(200, z.looseObject({ id: z.string() }));
      expect(repetition).toMatchObject({ nonce, author_id: author.user.id });
      const later = (await second.post(path, body)).expect(201, z.looseObject({ id: z.string() }));
      pairs.push([repetition.id, later.id]);
    }
    for (const [index, socket] of listeners.entries()) {
      const news = () =>
        created(socket)
          .slice(marks[index])
          .map(({ payload }) => String(Object(payload).id));
      await waitUntil(() => pairs.every(([, later]) => news().includes(later)));
      expect(news()).toHaveLength(2 * pairs.length);
      for (const pair of pairs) expect(news().filter((id) => pair.includes(id))).toEqual(pair);
    }
  } finally {
    await proxy.close();
  }
});
