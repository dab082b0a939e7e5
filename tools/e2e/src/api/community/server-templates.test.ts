import { randomUUID } from "node:crypto";
import { Channel, errorBody as error, Server, ServerTemplate } from "@parley/contracts";
import {
  connectGateway,
  createClient,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

let stack: SharedStack;
let client: RestClient;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
});

const list = async (by: RestClient) =>
  (await by.get("/server-templates")).expect(200, z.array(ServerTemplate.strict()));
const channelsOf = async (by: RestClient, serverId: string) =>
  (await by.get(`/servers/${serverId}/channels`)).expect(200, z.array(Channel.strict()));

describe("templates of servers", () => {
  test("templates of servers are six built-in ones with every category among them, the same on every api", async () => {
    const ann = await client.register();
    const templates = await list(ann);
    expect(templates).toHaveLength(6);
    expect(new Set(templates.map(({ id }) => id)).size).toBe(6);
    expect(new Set(templates.map(({ category }) => category))).toEqual(
      new Set(["gaming", "community", "study", "custom"]),
    );
    for (const { channels, is_builtin, name, description } of templates) {
      expect(is_builtin).toBe(true);
      expect([name.trim(), description.trim()]).not.toContain("");
      expect(channels.map(({ position }) => position)).toEqual(channels.map((_, index) => index));
      expect(new Set(channels.map(({ type }) => type))).toEqual(new Set(["text", "voice"]));
    }
    for (const { url } of stack.apis) {
      expect(await list(createClient(url, { authorization: `Bearer ${ann.accessToken}` }))).toEqual(templates);
    }
  });

  test("templates of servers are for those who are logged in", async () => {
    const answer = await client.get("/server-templates");
    expect([answer.status, answer.body]).toEqual([401, error("Invalid or expired token")]);
  });
});

describe("a server made from a template", () => {
  test("a server made from a template has the template's channels from the answer on, for its owner's open connections too", async () => {
    const owner = await client.register();
    const sockets = stack.gateways.map(({ url }) => connectGateway(url, owner.accessToken));
    await Promise.all(sockets.map(({ ready }) => ready));
    for (const template of await list(owner)) {
      const answer = await owner.post("/servers", { name: "Made", template_id: template.id.toUpperCase() });
      const server = answer.expect(201, Server.strict());
      expect(server.member_count).toBe(1);
      const channels = await channelsOf(owner, server.id);
      expect(channels.map(({ name, type, category, position }) => ({ name, type, category, position }))).toEqual(
        template.channels,
      );
      for (const { server_id, topic } of channels) expect([server_id, topic]).toEqual([server.id, null]);
      const message = await postMessage(owner, channels[0]?.id ?? "", "first");
      for (const socket of sockets) await socket.waitFor("MESSAGE_CREATE", ({ id }) => id === message.id);
    }
    for (const socket of sockets) socket.close();
  });

  test("a server made from a template has none without a template, or with null for one", async () => {
    const owner = await client.register();
    for (const fields of [{}, { template_id: null }]) {
      const server = (await owner.post("/servers", { name: "Bare", ...fields })).expect(201, Server.strict());
      expect(await channelsOf(owner, server.id)).toEqual([]);
    }
  });

  test.each([
    ["of nobody", randomUUID()],
    ["that is no id", "gaming"],
    ["empty", ""],
    ["of another type", 1],
  ])("is refused for a template %s, and nothing is made", async (_, template_id) => {
    const owner = await client.register();
    const answer = await owner.post("/servers", { name: "Never", template_id });
    expect([answer.status, answer.body]).toEqual([400, error("Unknown template")]);
    expect((await owner.get("/servers")).body).toEqual([]);
  });
});
