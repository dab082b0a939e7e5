import { AutomodRule, AutomodRuleMatches, errorBody, Message } from "@parley/contracts";
import {
  assignRole,
  connectGateway,
  createChannel,
  createClient,
  createRole,
  joinServer,
  listMessages,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  waitUntil,
} from "@parley/testing";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { pngPixel } from "../stages/sample-files.js";
import { upload } from "../stages/upload-stage.js";
import { answerOf, block, createRuledServer, type RuledServer, refused, words } from "./own-rules-stage.js";

let stack: SharedStack;
let client: RestClient;
let scene: RuledServer;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
  scene = await createRuledServer(client);
});

/** A connection on which the owner gets the events of reports. */
async function listen({ owner }: RuledServer) {
  const query = `token=${encodeURIComponent(owner.accessToken)}&v=2`;
  const socket = connectGateway(stack.edgeUrl, owner.accessToken, { query });
  onTestFinished(() => socket.terminate());
  await socket.ready;
  return socket;
}

describe("the rules of a server", () => {
  test("are made, listed in their order, changed and deleted", async () => {
    const { owner, path, add, server } = await createRuledServer(client);
    const first = await add(words("one"));
    const second = await add({ type: "caps", min_length: 5, percent: 70 }, [{ type: "flag" }], { enabled: false });
    expect(first).toEqual({
      id: expect.any(String),
      server_id: server.id,
      name: "rule",
      enabled: true,
      trigger: { type: "words", words: ["one"], match: "word", allow: [] },
      exempt_role_ids: [],
      exempt_channel_ids: [],
      actions: [block],
      created_by: owner.user.id,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const list = z.array(AutomodRule.strict());
    expect((await owner.get(path)).expect(200, list)).toEqual([first, second]);
    const changed = (await owner.patch(`${path}/${second.id}`, { name: " loud ", enabled: true })).expect(
      200,
      AutomodRule,
    );
    expect(changed).toMatchObject({ ...second, name: "loud", enabled: true, updated_at: changed.updated_at });
    expect((await owner.get(`${path}/${second.id}`)).expect(200, AutomodRule)).toEqual(changed);
    expect((await owner.delete(`${path}/${first.id}`)).status).toBe(204);
    expect((await owner.get(path)).expect(200, list)).toEqual([changed]);
    for (const answer of [await owner.get(`${path}/${first.id}`), await owner.delete(`${path}/${first.id}`)])
      expect(answerOf(answer)).toEqual(refused("Rule not found", 404));
  });

  test.each([
    [
      { trigger: { type: "regex", patterns: ["ok", "a(b"] } },
      "Invalid pattern: patterns[1]: missing closing ) at position 4",
    ],
    [{ trigger: { type: "regex", patterns: ["x".repeat(261)] } }, "regex needs 1-20 patterns of 1-260 characters"],
    [{ trigger: { type: "unheard" } }, "Invalid trigger"],
    [{ trigger: { type: "mentions", max: 51 } }, "mentions needs max between 1 and 50"],
    [{ trigger: { type: "attachments" } }, "attachments needs mime_types or max between 0 and 10"],
    [
      { trigger: words("") },
      "words needs 1-1000 words of 1-100 characters, match part, word or prefix, and at most 1000 in allow",
    ],
    [{ trigger: { ...words("x"), type: "name" } }, "actions must be 1-3 different actions that fit the trigger"],
    [{ actions: [block, { type: "delete" }] }, "actions must be 1-3 different actions that fit the trigger"],
    [{ actions: [] }, "actions must be 1-3 different actions that fit the trigger"],
    [{ actions: [{ type: "timeout", minutes: 0 }] }, "timeout_minutes must be between 1 and 10080"],
    [{ actions: [{ type: "block", message: "x".repeat(151) }] }, "message must be 1-150 characters"],
    [{ name: "" }, "name must be 1-100 characters"],
  ])("do not take %j", async (fields, text) => {
    const body = { name: "rule", trigger: words("x"), actions: [block], ...fields };
    expect(answerOf(await scene.owner.post(scene.path, body))).toEqual(refused(text, 400));
  });

  test("belong to holders of manage_automod, which administrators are not, and are at most 50", async () => {
    const { owner, author, server, path, add } = await createRuledServer(client);
    await assignRole(owner, await createRole(owner, server.id, { permissions: 8192 }), author);
    expect(answerOf(await author.get(path))).toEqual(refused("Only the server owner can manage automod"));
    const manager = await client.register();
    expect(answerOf(await manager.get(path))).toEqual(refused("Only the server owner can manage automod"));
    await owner.patch(`/servers/${server.id}/roles/${server.id}`, { rights: ["manage_automod"] });
    expect((await author.get(path)).status).toBe(200);
    for (let count = 0; count < 50; count += 1) await add({ type: "invites" }, [block], { enabled: false });
    const body = { name: "one more", trigger: { type: "invites" }, actions: [block] };
    expect(answerOf(await author.post(path, body))).toEqual(refused("Limit of 50 rules reached", 400));
  });
});

test("a change is in force for the next message, whichever process judges it, without auto-moderation of every server", async () => {
  const { owner, path, add, send } = await createRuledServer(client);
  for (let round = 0; round < 10; round += 1) {
    const content = `the word${round} stands`;
    expect(await send(content)).toBe(201);
    const rule = await add(words(`word${round}`));
    expect(await Promise.all([send(content), send(content), send(content)])).toEqual([403, 403, 403]);
    await owner.patch(`${path}/${rule.id}`, { enabled: false });
    expect(await Promise.all([send(content), send(content), send(content)])).toEqual([201, 201, 201]);
  }
});

test("a blocked message is answered with the rule's words, logged with the rule, and stored nowhere", async () => {
  const { owner, author, channel, add, logs } = await createRuledServer(client);
  const message = "Not here, please";
  const rule = await add(words("discord"), [{ type: "block", message }]);
  const answer = await author.post(`/channels/${channel.id}/messages`, { content: "Join my DÍSC0RD" });
  expect(answerOf(answer)).toEqual({ status: 403, body: { error: message, message, code: "message_blocked_by_rule" } });
  expect(await listMessages(owner, channel.id)).toEqual([]);
  expect(await logs()).toMatchObject([
    {
      rule_id: rule.id,
      rule_type: "words",
      action_taken: "block",
      matched_term: "discord",
      message_content: "Join my DÍSC0RD",
    },
  ]);
});

test("rules are applied in their order: the first that blocks or deletes ends, and flags before it report", async () => {
  const own = await createRuledServer(client);
  const { owner, author, channel, add, logs } = own;
  const flag = await add({ type: "regex", patterns: ["(?i)buy\\s+gold"] }, [{ type: "flag" }]);
  const remove = await add({ type: "links", domains: ["evil.com"], mode: "block_listed" }, [{ type: "delete" }]);
  await add(words("gold"), [block]);
  const socket = await listen(own);
  const sent = await author.post(`/channels/${channel.id}/messages`, { content: "Buy  gold at shop.evil.com" });
  expect(sent.expect(201, Message)).toMatchObject({ deleted: true });
  expect(await listMessages(owner, channel.id)).toEqual([]);
  expect(
    (await logs()).map(({ rule_id, action_taken, matched_term }) => [rule_id, action_taken, matched_term]),
  ).toEqual([
    [remove.id, "delete", "shop.evil.com"],
    [flag.id, "flag", "(?i)buy\\s+gold"],
  ]);
  expect(await socket.waitFor("REPORT_CREATE")).toMatchObject({
    source: "automod",
    author_id: author.user.id,
    message_id: sent.expect(201, Message).id,
    reasons: ["Auto-moderation: regex"],
  });
});

test("roles and channels are exempt, and the rules of every server come before", async () => {
  const { owner, author, server, channel, path, add, send } = await createRuledServer(client);
  const other = await createChannel(owner, server.id);
  const rule = await add(words("bad"), [block], { exempt_channel_ids: [other.id] });
  expect([await send("bad"), await send("bad", other.id)]).toEqual([403, 201]);
  const role = await createRole(owner, server.id);
  await owner.patch(`${path}/${rule.id}`, { exempt_role_ids: [role.id] });
  await assignRole(owner, role, author);
  expect([await send("bad"), await send("bad", channel.id, owner)]).toEqual([201, 403]);
  await owner.patch(`/servers/${server.id}/automod`, { enabled: true, word_filter_enabled: true });
  await owner.post(`/servers/${server.id}/automod/words`, { word: "bad" });
  const answer = await owner.post(`/channels/${channel.id}/messages`, { content: "bad" });
  expect(answerOf(answer)).toEqual(refused("Message blocked by word filter"));
});

test("edits are judged by texts and mentions, and not by capitals", async () => {
  const { author, channel, add } = await createRuledServer(client);
  await add({ type: "caps", min_length: 5, percent: 70 });
  await add({ type: "invites" });
  const message = await postMessage(author, channel.id, "quiet");
  expect((await author.patch(`/messages/${message.id}`, { content: "LOUD AND CLEAR" })).status).toBe(200);
  const edit = await author.patch(`/messages/${message.id}`, {
    content: "https://elsewhere.example/app/invite/abcdEF12",
  });
  expect(answerOf(edit)).toEqual(refused("Message blocked by the rules of this server"));
});

test("invites of the server itself are no invites to others", async () => {
  const { owner, author, server, add, send } = await createRuledServer(client);
  await add({ type: "invites" });
  const { code } = (await owner.post(`/servers/${server.id}/invites`, {})).expect(201, z.object({ code: z.string() }));
  expect(await send(`come to ${stack.edgeUrl}/app/invite/${code}`)).toBe(201);
  expect(await send(`come to ${stack.edgeUrl}/app/invite/${code}x`)).toBe(403);
  expect(await send("@everyone @everyone", undefined, author)).toBe(201);
});

test("of messages with one text at the same moment in both processes and all channels, exactly the allowed number passes", async () => {
  const { owner, author, server, channel, add, send } = await createRuledServer(client);
  const other = await createChannel(owner, server.id);
  await add({ type: "repetition", max: 3, window_secs: 600 });
  const contents = ["Buy now", "BUY NOW", "bùy  now", "buy n\u200bow"];
  const statuses = await Promise.all(
    Array.from({ length: 20 }, (_, n) => send(contents[n % 4] ?? "", n % 2 === 0 ? channel.id : other.id)),
  );
  expect(statuses.filter((status) => status === 201)).toHaveLength(3);
  expect(await send("something else")).toBe(201);
  // One that was never stored does not count.
  for (let count = 0; count < 5; count += 1) {
    const body = { content: "given up", reply_to: channel.id };
    expect((await author.post(`/channels/${channel.id}/messages`, body)).status).toBe(404);
  }
  await waitUntil(async () => (await send("given up")) === 201, { what: "the messages to be given up" });
});

test("files are judged when they are added, with the message and afterwards", async () => {
  const { author, channel, add } = await createRuledServer(client);
  const file = { name: "a.png", bytes: pngPixel };
  await add({ type: "attachments", mime_types: [], max: 1 });
  const message = await postMessage(author, channel.id, "look");
  expect((await upload(author, message.id, [file])).status).toBe(201);
  expect((await upload(author, message.id, [file])).body).toEqual(
    errorBody("Message blocked by the rules of this server"),
  );
  await add({ type: "attachments", mime_types: ["image/*"] });
  const form = new FormData();
  form.append("payload_json", JSON.stringify({ content: "look" }));
  form.append("files", new Blob([pngPixel]), "a.png");
  expect((await author.send("POST", `/channels/${channel.id}/messages`, { body: form })).status).toBe(403);
});

test("actions against the author: a timeout holds without the rules of every server, a kick removes, the owner stays", async () => {
  const { owner, author, server, channel, add, send, logs } = await createRuledServer(client);
  await add(words("quiet"), [{ type: "timeout", minutes: 5 }]);
  await add(words("leave"), [block, { type: "kick" }]);
  expect([await send("leave", channel.id, owner), await send("quiet"), await send("anything")]).toEqual([
    403, 201, 403,
  ]);
  await owner.delete(`/servers/${server.id}/members/${author.user.id}/timeout`);
  expect(await send("leave")).toBe(403);
  expect(await send("hello")).toBe(404);
  expect((await logs()).map(({ action_taken }) => action_taken)).toEqual(["kick", "timeout", "block"]);
});

test("a user who joins with an unwanted name is removed and reported", async () => {
  const own = await createRuledServer(client);
  const { server, add, logs } = own;
  const joiner = await client.register();
  const rule = await add({ type: "name", words: [joiner.username], match: "part" }, [
    { type: "kick" },
    { type: "flag" },
  ]);
  const socket = await listen(own);
  await joinServer(joiner, server.id);
  await waitUntil(async () => (await joiner.get(`/servers/${server.id}/members`)).status === 404, { what: "the kick" });
  expect(await logs()).toMatchObject([
    { rule_id: rule.id, rule_type: "name", action_taken: "kick", user_id: joiner.user.id },
  ]);
  expect(await socket.waitFor("REPORT_CREATE")).toMatchObject({
    source: "automod",
    message_id: null,
    author_id: joiner.user.id,
  });
});

test("a text is tried on every enabled rule, and nothing is stored", async () => {
  const { owner, path, add, logs } = await createRuledServer(client);
  const first = await add(words("bad", "worse"));
  const second = await add({ type: "mentions", max: 9 });
  await add(words("bad"), [block], { enabled: false });
  const tried = await owner.post(`${path}/test`, { content: "worse, @everyone" });
  expect(tried.expect(200, AutomodRuleMatches)).toEqual({
    matches: [
      { rule_id: first.id, term: "worse" },
      { rule_id: second.id, term: null },
    ],
  });
  expect(await logs()).toEqual([]);
});
