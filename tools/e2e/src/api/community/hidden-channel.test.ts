import { randomUUID } from "node:crypto";
import { Attachment, type Channel, errorBody as error, Message, permissionBits } from "@parley/contracts";
import {
  createChannel,
  createClient,
  createServerWithMembers,
  type DescribedOperation,
  loadAnswerCheck,
  postMessage,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

let stack: SharedStack;
let hidden: UserClient;
let stranger: UserClient;
let channel: Channel;
let message: Message;
let attachment: Attachment;
let poll: Message;
let operations: readonly DescribedOperation[];

beforeAll(async () => {
  stack = await sharedStack();
  const client = createClient(stack.edgeUrl, { prefix: "/api" });
  const { server, owner, members } = await createServerWithMembers(client, 1);
  const [member] = members;
  hidden = member;
  stranger = await client.register();
  channel = await createChannel(owner, server.id, { type: "voice" });
  // Written while the channel was still open to them: not even one's own message can be reached afterwards.
  message = await postMessage(hidden, channel.id, "mine");
  const form = new FormData();
  form.append("files", new Blob(["a text"]), "note.txt");
  const uploaded = await hidden.send("POST", `/messages/${message.id}/attachments`, { body: form });
  [attachment] = uploaded.expect(201, z.tuple([Attachment]));
  const question = { question: "Which?", options: ["a", "b"] };
  poll = (await owner.post(`/channels/${channel.id}/polls`, question)).expect(201, Message);
  const override = { user_id: hidden.user.id, allow: 0, deny: permissionBits.VIEW_CHANNEL };
  expect((await owner.put(`/channels/${channel.id}/overrides`, override)).status).toBe(200);
  ({ operations } = await loadAnswerCheck(stack.edgeUrl));
});

const cannotView = "You don't have permission to view this channel";
const cannotManage = "You need the Manage Channels permission";
const missing = /^(?:Channel|Message|Poll) not found$/;

/** Endpoints of a channel or of its content. */
function ofChannel({ path }: DescribedOperation): boolean {
  return /^\/(?:servers\/\{server_id\}\/channels\/\{|channels\/\{|messages\/\{|polls\/\{)/.test(path);
}

/** Each endpoint's path with these ids in it. */
function address({ path }: DescribedOperation, ids: { channelId: string; messageId: string; pollId: string }): string {
  const { channelId, messageId, pollId } = ids;
  const own = path.startsWith("/messages/") ? messageId : channelId;
  return path
    .replace("{server_id}", channel.server_id)
    .replace("{channel_id}", channelId)
    .replace("{message_id}", messageId)
    .replace("{poll_id}", pollId)
    .replace("{emoji}", encodeURIComponent("👍"))
    .replace("{user_id}", hidden.user.id)
    .replace("{override_id}", randomUUID())
    .replace("{id}", own);
}

/** A body with enough fields for every endpoint that wants one. */
const body = () => ({
  content: "hello",
  channel_id: channel.id,
  name: "name",
  allow: 0,
  deny: 0,
  user_id: hidden.user.id,
  question: "Which?",
  options: ["a", "b"],
  option_id: poll.poll?.options[0]?.id,
  starts_at: new Date(Date.now() + 3_600_000).toISOString(),
  reason: "spam",
  message_ids: [message.id],
  interaction_id: randomUUID(),
  modal_id: "form",
  fields: {},
});

async function ask(caller: UserClient, operation: DescribedOperation, path: string) {
  if (operation.operationId.startsWith("patch") && path.endsWith("/voice"))
    return caller.patch(path, { self_mute: true });
  if (operation.requestBody !== undefined && operation.requestBody.content["application/json"] === undefined) {
    const form = new FormData();
    form.append("files", new Blob(["text"]), "note.txt");
    return caller.send(operation.method, path, { body: form });
  }
  return caller.send(operation.method, path, operation.method === "GET" ? {} : { body: body() });
}

const ids = () => ({ channelId: channel.id, messageId: message.id, pollId: poll.poll?.id ?? "" });

describe("a channel that a member may not view", () => {
  test("a channel that a member may not view answers 403 to whatever they want of it", async () => {
    const endpoints = operations.filter(ofChannel);
    expect(endpoints.length).toBeGreaterThan(35);
    for (const operation of endpoints) {
      const path = address(operation, ids());
      const answer = await ask(hidden, operation, path);
      const found = [operation.operationId, answer.status];
      // Rights that cannot be had without viewing name themselves; an override that is not there comes before them.
      if (path.includes("/overrides/")) expect(found).toEqual([operation.operationId, 404]);
      else expect(found).toEqual([operation.operationId, 403]);
      const manages = /overrides|^(?:patch|delete)-(?:servers-by-server-id-)?channels-by-id$/.test(
        operation.operationId,
      );
      if (!manages || operation.method === "GET") expect(answer.body).toEqual(error(cannotView));
      else if (!path.includes("/overrides")) expect(answer.body).toEqual(error(cannotManage));
    }
  });

  test("a channel that a member may not view does not exist for a stranger, and neither does one that never was", async () => {
    const nowhere = { channelId: randomUUID(), messageId: randomUUID(), pollId: randomUUID() };
    for (const operation of operations.filter(ofChannel)) {
      for (const [caller, path] of [
        [stranger, address(operation, ids())],
        [hidden, address(operation, nowhere)],
      ] as const) {
        const answer = await ask(caller, operation, path);
        expect([operation.operationId, answer.status]).toEqual([operation.operationId, 404]);
        expect(Object(answer.body).error).toMatch(missing);
      }
    }
  });
});

test("a file of a hidden channel needs the right to view it, or its signed address", async () => {
  const [path = ""] = attachment.url.split("?");
  const refused = await hidden.get(path);
  expect([refused.status, refused.body]).toEqual([403, error(cannotView)]);
  expect((await stranger.get(path)).body).toEqual(error("Attachment not found"));
  const anybody = createClient(stack.edgeUrl);
  expect((await anybody.get(path)).status).toBe(401);
  const whole = await anybody.get(attachment.url);
  expect([whole.status, whole.body]).toEqual([200, "a text"]);
  const part = await anybody.send("GET", attachment.url, { headers: { range: "bytes=2-5" } });
  expect([part.status, part.body]).toEqual([206, "text"]);
  expect((await anybody.send("GET", attachment.url, { headers: { range: "bytes=6-" } })).status).toBe(416);
});

describe("a longer path", () => {
  test("a longer path with a server or channel that is not the thing's own finds nothing", async () => {
    const owner = await createServerWithMembers(createClient(stack.edgeUrl), 0);
    const wrongServer = `/servers/${channel.server_id}/channels/${owner.channel.id}`;
    const own = await postMessage(owner.owner, owner.channel.id, "own");
    const wrongChannel = `/channels/${channel.id}/messages/${own.id}`;
    const right = `/servers/${owner.server.id}/channels/${owner.channel.id}`;
    const answers = [
      await owner.owner.get(wrongServer),
      await owner.owner.patch(wrongServer, { name: "x" }),
      await owner.owner.delete(wrongServer),
      await owner.owner.patch(wrongChannel, { content: "x" }),
      await owner.owner.delete(wrongChannel),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await owner.owner.get(right)).body).toEqual(owner.channel);
    const edited = await owner.owner.patch(`/channels/${owner.channel.id}/messages/${own.id}`, { content: "edited" });
    expect(edited.expect(200, Message).content).toBe("edited");
    expect((await owner.owner.delete(`/channels/${owner.channel.id}/messages/${own.id}`)).status).toBe(204);
    expect((await owner.owner.patch(right, { name: "renamed" })).body).toEqual({ ...owner.channel, name: "renamed" });
    expect((await owner.owner.delete(right)).status).toBe(204);
  });
});
