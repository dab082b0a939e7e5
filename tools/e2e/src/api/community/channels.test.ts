import { randomUUID } from "node:crypto";
import { Channel, errorBody as error } from "@parley/contracts";
import {
  createChannel,
  createClient,
  createServer,
  createServerWithMembers,
  type RestClient,
  type ServerFixture,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

let stack: SharedStack;
let client: RestClient;
let stranger: UserClient;
let fixture: ServerFixture;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
  stranger = await client.register();
  fixture = await createServerWithMembers(client, 1);
});

describe("channels", () => {
  test("positions are given in order, also when several are created at once", async () => {
    const owner = await client.register();
    const server = await createServer(owner);
    const first = await createChannel(owner, server.id, { name: " talk ", topic: "", category: "A" });
    expect(first).toEqual({
      id: expect.any(String),
      server_id: server.id,
      name: "talk",
      type: "text",
      position: 0,
      category: "A",
      topic: null,
      created_at: expect.stringMatching(/Z$/),
    });
    await Promise.all(
      [1, 2, 3, 4].map((number) => createChannel(owner, server.id, { name: `c${number}`, type: "voice" })),
    );
    const list = (await owner.get(`/servers/${server.id}/channels`)).expect(200, z.array(Channel.strict()));
    expect(list.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4]);
  });

  test.each([
    [{}, "Channel name must be 1-100 characters"],
    [{ name: " " }, "Channel name must be 1-100 characters"],
    [{ name: "x".repeat(101) }, "Channel name must be 1-100 characters"],
    [{ name: "a", type: "video" }, "type must be text or voice"],
    [{ name: "a", topic: "x".repeat(1025) }, "Topic must be at most 1024 characters"],
    [{ name: "a", category: "x".repeat(101) }, "Category must be at most 100 characters"],
  ])("a channel with %j is refused", async (body, text) => {
    const answer = await fixture.owner.post(`/servers/${fixture.server.id}/channels`, body);
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });

  test("an update changes the given fields, null clears, the type stays", async () => {
    const { owner, server } = fixture;
    const channel = await createChannel(owner, server.id, { topic: "t", category: "c" });
    for (const path of [`/channels/${channel.id}`, `/servers/${server.id}/channels/${channel.id}`]) {
      expect((await owner.get(path)).body).toEqual(channel);
    }
    const answer = await owner.patch(`/servers/${server.id}/channels/${channel.id}`, {
      topic: null,
      position: 0,
      type: "text",
    });
    expect(answer.expect(200, Channel)).toEqual({ ...channel, topic: null, position: 0 });
    expect((await owner.patch(`/channels/${channel.id}`, {})).body).toEqual(answer.body);
    const cases: [unknown, string][] = [
      [{ position: -1 }, "Position must be 0 or more"],
      [{ position: 1.5 }, "Position must be 0 or more"],
      [{ name: "" }, "Channel name must be 1-100 characters"],
      [{ type: "voice" }, "type cannot be changed"],
    ];
    for (const [body, text] of cases) {
      const refused = await owner.patch(`/channels/${channel.id}`, body);
      expect([refused.status, refused.body]).toEqual([400, error(text)]);
    }
  });

  test("managing needs the permission, seeing needs membership", async () => {
    const { owner, members, server, channel } = fixture;
    const [member] = members;
    const forbidden = error("You need the Manage Channels permission");
    for (const request of [
      member?.post(`/servers/${server.id}/channels`, { name: "x" }),
      member?.patch(`/channels/${channel.id}`, { name: "x" }),
      member?.delete(`/channels/${channel.id}`),
    ]) {
      const answer = await request;
      expect([answer?.status, answer?.body]).toEqual([403, forbidden]);
    }
    for (const request of [
      stranger.get(`/channels/${channel.id}`),
      stranger.patch(`/channels/${channel.id}`, { name: "x" }),
      stranger.delete(`/channels/${channel.id}`),
      owner.get(`/channels/${randomUUID()}`),
    ]) {
      const answer = await request;
      expect([answer.status, answer.body]).toEqual([404, error("Channel not found")]);
    }
  });

  test("a channel under another server's path is not found", async () => {
    const { owner, channel } = fixture;
    const other = await createServer(owner);
    const path = `/servers/${other.id}/channels/${channel.id}`;
    for (const request of [owner.get(path), owner.patch(path, { name: "x" }), owner.delete(path)]) {
      const answer = await request;
      expect([answer.status, answer.body]).toEqual([404, error("Channel not found")]);
    }
  });

  test("a deleted channel is gone with its messages", async () => {
    const { owner, server } = fixture;
    const channel = await createChannel(owner, server.id);
    await owner.post(`/channels/${channel.id}/messages`, { content: "hello" });
    expect((await owner.delete(`/channels/${channel.id}`)).status).toBe(204);
    expect((await owner.get(`/channels/${channel.id}/messages`)).status).toBe(404);
    expect((await owner.delete(`/channels/${channel.id}`)).status).toBe(404);
  });
});
