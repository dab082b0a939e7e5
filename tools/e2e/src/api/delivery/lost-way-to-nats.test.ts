import { Invite, permissionBits } from "@parley/contracts";
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
} from "@parley/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

const mortal = useMortalStack();
let stack: MortalStack;
let proxy: NatsProxy;
let healthy: ServerProcess;
/** An api whose way to NATS can hang: its messages arrive later, and it gets no error. */
let hanging: ServerProcess;
const sockets: GatewayClient[] = [];

beforeAll(async () => {
  ({ stack } = mortal);
  const [api] = stack.apis;
  if (api === undefined) throw new Error("no api");
  healthy = api;
  proxy = await startNatsProxy(stack.nats.url);
  hanging = await stack.startApi({ natsUrl: proxy.url });
});
afterAll(async () => {
  for (const socket of sockets) socket.terminate();
  if (hanging !== undefined) await stack.dismiss(hanging);
  await proxy?.close();
});

/** Holds up the messages of the hanging api, until the test ends. */
function holdUp(): void {
  proxy.hold(true);
  onTestFinished(() => proxy.hold(false));
}

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

test("a member who is kicked or denied through an api without a way to NATS gets nothing after the answer", async () => {
  const { server, channel, owner, members } = await createServerWithMembers(createClient(healthy.url), 2);
  const [kicked, denied] = members;
  const witnesses = await listen(owner);
  const forbidden = [...(await listen(kicked)), ...(await listen(denied))];
  holdUp();
  const kick = await through(hanging, owner).post(`/servers/${server.id}/members/${kicked.user.id}/kick`);
  const deny = await through(hanging, owner).put(`/channels/${channel.id}/overrides`, {
    user_id: denied.user.id,
    allow: 0,
    deny: permissionBits.VIEW_CHANNEL,
  });
  expect([kick.status, deny.status]).toEqual([204, 200]);
  for (let count = 0; count < 60; count += 1) {
    const { id } = await postMessage(through(healthy, owner), channel.id, `secret ${count}`);
    await Promise.all(witnesses.map((socket) => socket.waitFor("MESSAGE_CREATE", (message) => message.id === id)));
  }
  await Promise.all(forbidden.map((socket) => socket.heartbeat()));
  expect(forbidden.map((socket) => messagesOf(socket).length)).toEqual([0, 0, 0, 0]);
});

test("a user who joins through an api without a way to NATS gets the first message after the answer", async () => {
  const { server, channel, owner } = await createServerWithMembers(createClient(healthy.url), 0);
  const invite = (await owner.post(`/servers/${server.id}/invites`, {})).expect(201, Invite);
  const newcomer = await createClient(healthy.url).register();
  const newcomers = await listen(newcomer);
  holdUp();
  expect((await through(hanging, newcomer).post(`/invites/${invite.code}/accept`)).status).toBe(201);
  const { id } = await postMessage(through(healthy, owner), channel.id, "welcome");
  await Promise.all(newcomers.map((socket) => socket.waitFor("MESSAGE_CREATE", (message) => message.id === id)));
});
