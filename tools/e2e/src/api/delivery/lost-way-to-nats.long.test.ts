import { connectDatabase, type Database } from "@parley/database/prisma";
import type { ServerProcess } from "@parley/local-stack";
import {
  connectGateway,
  createClient,
  createServerWithMembers,
  type GatewayClient,
  type MortalStack,
  type NatsProxy,
  postMessage,
  type RestClient,
  startNatsProxy,
  type UserClient,
  useMortalStack,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

const mortal = useMortalStack();
let stack: MortalStack;
let proxy: NatsProxy;
let healthy: ServerProcess;
/** An api whose way to NATS can hang: its messages arrive later, and it gets no error. */
let hanging: ServerProcess;
let database: Database;
const sockets: GatewayClient[] = [];
const silent = { info() {}, warn() {}, error() {} };

beforeAll(async () => {
  ({ stack } = mortal);
  const [api] = stack.apis;
  if (api === undefined) throw new Error("no api");
  healthy = api;
  database = await connectDatabase({ url: stack.databaseUrl, poolMax: 2, applicationName: "test", logger: silent });
});
beforeEach(async () => {
  proxy = await startNatsProxy(stack.nats.url);
  hanging = await stack.startApi({ natsUrl: proxy.url });
  return async () => {
    await stack.dismiss(hanging);
    await proxy.close();
  };
});
afterAll(async () => {
  for (const socket of sockets) socket.terminate();
  await database?.close();
});

const through = (api: ServerProcess, user: UserClient): RestClient =>
  createClient(api.url, { authorization: `Bearer ${user.accessToken}` });

/** A connection of the user to each gateway. */
async function listen(user: UserClient): Promise<GatewayClient[]> {
  const opened = stack.gateways.map(({ url }) => connectGateway(url, user.accessToken));
  sockets.push(...opened);
  await Promise.all(opened.map(({ ready }) => ready));
  return opened;
}

const messagesOf = (socket: GatewayClient) => socket.events.filter(({ name }) => name === "MESSAGE_CREATE");

test("what an api committed before it was killed goes before what others send next, and is not lost", async () => {
  const { channel, owner, members } = await createServerWithMembers(createClient(healthy.url), 1);
  const [author] = members;
  const witnesses = await listen(owner);
  await postMessage(through(hanging, author), channel.id, "before");
  const isWaiting = async () => (await database.prisma.outboxEvent.count({ where: { order_key: channel.id } })) > 0;
  // Its row is deleted after the answer; it would be taken for that of the next message.
  await waitUntil(async () => !(await isWaiting()), { what: "the first message to have left the outbox" });
  proxy.hold(true);
  const lost = postMessage(through(hanging, author), channel.id, "committed").catch(() => undefined);
  await waitUntil(isWaiting, { what: "the message to be committed" });
  await hanging.kill();
  await Promise.all(
    Array.from({ length: 5 }, (_, count) => postMessage(through(healthy, owner), channel.id, `after ${count}`)),
  );
  await lost;
  for (const socket of witnesses) {
    await waitUntil(() => messagesOf(socket).length >= 7, { what: "all messages" });
    const contents = messagesOf(socket).map(({ payload }) => String(Object(payload).content));
    expect(contents.slice(0, 2)).toEqual(["before", "committed"]);
    expect(new Set(contents).size).toBe(7);
    expect(contents).toHaveLength(7);
  }
});
