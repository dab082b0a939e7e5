import { errorBody } from "@parley/contracts";
import {
  connectGateway,
  createClient,
  createServerWithMembers,
  joinServer,
  postMessage,
  type RestClient,
  type ServerFixture,
  type SharedStack,
  sharedStack,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBot, createConnections, namesOf, openDirectChannel } from "../stages/connection-stage.js";

let stack: SharedStack;
let client: RestClient;
let fixture: ServerFixture;
let connections: ReturnType<typeof createConnections>;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
  fixture = await createServerWithMembers(client, 1);
  connections = createConnections(stack);
});
afterAll(async () => {
  connections?.closeAll();
});

describe("the parameter events", () => {
  test("the parameter events lets only these events through, to users and bots on both gateways; READY comes in any case", async () => {
    const { owner, channel, server } = fixture;
    const bot = await createBot(owner);
    await joinServer(client.withAuthorization(`Bot ${bot.token}`), server.id);
    const query = "events=MESSAGE_DELETE,MESSAGE_PIN,MESSAGE_PIN";
    const filtered = await Promise.all([
      connections.open(owner.accessToken, 0, query),
      connections.open(owner.accessToken, 1, query),
      connections.open(bot.accessToken, 0, query),
      connections.open(bot.accessToken, 1, query),
    ]);
    const unfiltered = await connections.open(owner.accessToken, 1, "");
    const { id } = await postMessage(owner, channel.id, "hello");
    expect((await owner.put(`/channels/${channel.id}/messages/${id}/reactions/%F0%9F%91%8D`)).status).toBeLessThan(300);
    expect((await owner.post(`/channels/${channel.id}/messages/${id}/pin`)).status).toBeLessThan(300);
    expect((await owner.delete(`/messages/${id}`)).status).toBe(204);
    for (const connection of [...filtered, unfiltered]) await connection.waitFor("MESSAGE_DELETE");
    for (const connection of filtered) {
      expect(connection.events.map(({ name }) => name)).toEqual(["MESSAGE_PIN", "MESSAGE_DELETE"]);
    }
    expect(namesOf(unfiltered)).toEqual(["MESSAGE_CREATE", "REACTION_ADD", "MESSAGE_PIN", "MESSAGE_DELETE"]);
  });

  test("filters events of the user and presence as well", async () => {
    const [friend, other] = [await client.register(), await client.register()];
    await joinServer(friend, fixture.server.id);
    await joinServer(other, fixture.server.id);
    const [messages, presences] = await Promise.all([
      connections.open(friend.accessToken, 0, "events=DM_MESSAGE_CREATE"),
      connections.open(friend.accessToken, 1, "events=PRESENCE_UPDATE"),
    ]);
    const channelId = await openDirectChannel(other, friend);
    await other.patch("/users/@me", { status: "dnd" });
    await presences.waitFor("PRESENCE_UPDATE", ({ status }) => status === "dnd");
    await other.post(`/dm-channels/${channelId}/messages`, { content: "hello" });
    await messages.waitFor("DM_MESSAGE_CREATE");
    await presences.heartbeat();
    expect(messages.events.map(({ name }) => name)).toEqual(["DM_MESSAGE_CREATE"]);
    expect(new Set(presences.events.map(({ name }) => name))).toEqual(new Set(["PRESENCE_UPDATE"]));
  });

  test("the parameter events does not hide joins, removals and revocations from the gateway", async () => {
    const { owner, channel, server } = fixture;
    const bot = await createBot(owner);
    const filtered = await connections.open(bot.accessToken, 0, "events=MESSAGE_CREATE,TYPING_START");
    await joinServer(client.withAuthorization(`Bot ${bot.token}`), server.id);
    await postMessage(owner, channel.id, "after the join");
    await filtered.waitFor("MESSAGE_CREATE", ({ content }) => content === "after the join");
    const kicked = await owner.post(`/servers/${server.id}/members/${bot.userId}/kick`);
    expect(kicked.status).toBeLessThan(300);
    const witness = await connections.open(owner.accessToken, 0, "");
    await postMessage(owner, channel.id, "after the removal");
    await witness.waitFor("MESSAGE_CREATE");
    await filtered.expectNone("MESSAGE_CREATE", ({ content }) => content === "after the removal");
    expect((await owner.delete(`/bots/${bot.id}`)).status).toBe(204);
    expect((await filtered.closed).code).toBe(1000);
  });

  test.each([
    ["events=MESSAGE_CREATE,TYPING_STOP", "Unknown event: TYPING_STOP"],
    ["events=READY", "Unknown event: READY"],
    ["events=", "events must name at least one event"],
    ["presence=everything", "presence must be subscribed or none"],
    ["shard=2/2", "Invalid shard"],
    ["shard=0/1025", "Invalid shard"],
  ])("answers %s with 400 before the upgrade, to users and bots", async (query, text) => {
    const bot = await createBot(fixture.owner);
    for (const token of [fixture.owner.accessToken, bot.accessToken]) {
      const refused = connectGateway(stack.edgeUrl, "", { query: `token=${token}&${query}`, path: "/api/ws" });
      const { status, body } = await refused.rejected;
      expect([status, JSON.parse(body)]).toEqual([400, errorBody(text)]);
    }
  });
});
