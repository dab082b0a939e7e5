import { randomUUID } from "node:crypto";
import { errorBody, Message, permissionBits } from "@parley/contracts";
import { connectDatabase, type Database } from "@parley/database/prisma";
import {
  asEvent,
  connectGateway,
  createClient,
  createServerWithMembers,
  type GatewayClient,
  postMessage,
  type ServerFixture,
  type SharedStack,
  sharedStack,
  type UserClient,
  type Users,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let stack: SharedStack;
let database: Database;
let fixture: ServerFixture<Users<2>>;
let owner: UserClient;
let member: UserClient;
let hidden: UserClient;
let stranger: UserClient;
const sockets: GatewayClient[] = [];

const silent = { info() {}, warn() {}, error() {} };

beforeAll(async () => {
  stack = await sharedStack();
  database = await connectDatabase({ url: stack.databaseUrl, poolMax: 2, applicationName: "test", logger: silent });
  const client = createClient(stack.edgeUrl);
  fixture = await createServerWithMembers(client, 2);
  stranger = await client.register();
  const [first, second] = fixture.members;
  [owner, member, hidden] = [fixture.owner, first, second];
  await database.prisma.channelOverride.create({
    data: {
      channel_id: fixture.channel.id,
      user_id: hidden.user.id,
      allow: 0,
      deny: permissionBits.VIEW_CHANNEL,
    },
  });
});
afterAll(async () => {
  for (const socket of sockets) socket.terminate();
  await database?.close();
});

/** A connection that is READY, on a gateway of one's choice. */
async function open(user: UserClient, gateway: 0 | 1 | "edge"): Promise<GatewayClient> {
  const url = gateway === "edge" ? stack.edgeUrl : (stack.gateways[gateway]?.url ?? "");
  const socket = connectGateway(url, user.accessToken);
  sockets.push(socket);
  await socket.ready;
  return socket;
}

describe("a message posted through the edge", () => {
  test("a message posted through the edge reaches every connection of those who may view its channel, on both gateways, and nobody else", async () => {
    const receivers = await Promise.all([open(owner, 0), open(member, 1), open(member, "edge"), open(owner, 1)]);
    const outsiders = await Promise.all([open(hidden, 0), open(hidden, 1), open(stranger, 0), open(stranger, 1)]);
    for (const prefix of ["", "/api"] as const) {
      const client = createClient(stack.edgeUrl, { prefix, authorization: `Bearer ${member.accessToken}` });
      const message = await postMessage(client, fixture.channel.id, `hello over ${prefix || "/"}`);
      for (const socket of receivers) {
        const payload = await socket.waitFor("MESSAGE_CREATE", ({ id }) => id === message.id);
        expect(payload).toEqual(asEvent(message, fixture.server.id, member));
        expect(Object.keys(payload)).toEqual([...Object.keys(message), "server_id", "author"]);
      }
    }
    // An event that the hidden member does get proves that an earlier one would have arrived.
    await owner.post(`/servers/${fixture.server.id}/channels`, { name: "open" });
    const open2 = await owner.post(`/servers/${fixture.server.id}/channels`, { name: "open" });
    const channelId = String(Object(open2.body).id);
    const barrier = await postMessage(owner, channelId, "barrier");
    await Promise.all(
      outsiders.slice(0, 2).map((socket) => socket.waitFor("MESSAGE_CREATE", ({ id }) => id === barrier.id)),
    );
    for (const socket of outsiders) {
      await socket.expectNone("MESSAGE_CREATE", ({ channel_id }) => channel_id === fixture.channel.id);
    }
    for (const socket of receivers) {
      await socket.waitFor("MESSAGE_CREATE", ({ id }) => id === barrier.id);
      expect(socket.events.filter(({ name }) => name === "MESSAGE_CREATE")).toHaveLength(3);
    }
  });

  test("edits and deletions follow in order", async () => {
    const socket = await open(owner, 0);
    const message = await postMessage(member, fixture.channel.id, "first");
    const edited = await member.patch(`/messages/${message.id}`, { content: "second" });
    await member.delete(`/messages/${message.id}`);
    const update = await socket.waitFor("MESSAGE_UPDATE", ({ id }) => id === message.id);
    expect(update).toEqual(asEvent(edited.expect(200, Message), fixture.server.id, member));
    const removal = await socket.waitFor("MESSAGE_DELETE", ({ id }) => id === message.id);
    expect(removal).toEqual({ id: message.id, channel_id: fixture.channel.id });
    const names = socket.events.filter(({ payload }) => Object(payload).id === message.id).map(({ name }) => name);
    expect(names).toEqual(["MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE"]);
  });

  test("a message posted through the edge reaches somebody who joins while connected, from that moment, and stops when they leave", async () => {
    const newcomer = await createClient(stack.edgeUrl).register();
    const socket = await open(newcomer, 1);
    const before = await postMessage(owner, fixture.channel.id, "before");
    await newcomer.post(`/servers/${fixture.server.id}/join`);
    const during = await postMessage(owner, fixture.channel.id, "during");
    expect(await socket.waitFor("MESSAGE_CREATE")).toEqual(asEvent(during, fixture.server.id, owner));
    await newcomer.delete(`/servers/${fixture.server.id}/leave`);
    await postMessage(owner, fixture.channel.id, "after");
    await newcomer.post(`/servers/${fixture.server.id}/join`);
    const again = await postMessage(owner, fixture.channel.id, "again");
    await socket.waitFor("MESSAGE_CREATE", ({ id }) => id === again.id);
    const ids = socket.events.filter(({ name }) => name === "MESSAGE_CREATE").map(({ payload }) => Object(payload).id);
    expect(ids).toEqual([during.id, again.id]);
    expect(ids).not.toContain(before.id);
  });
});

describe("when processes or NATS fail", () => {
  test("an unknown token is still refused before the upgrade", async () => {
    const socket = connectGateway(stack.edgeUrl, randomUUID());
    const { status, body } = await socket.rejected;
    expect([status, JSON.parse(body)]).toEqual([401, errorBody("Invalid or expired token")]);
  });
});
