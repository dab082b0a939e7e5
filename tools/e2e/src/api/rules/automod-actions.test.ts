import { AuditLogEntry, AutomodConfig, Ban, Bot, Member, Message, VoiceState } from "@parley/contracts";
import {
  asEvent,
  connectWitnesses,
  createChannel,
  createClient,
  joinServer,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  createGuardedServer,
  filtered,
  type GuardedServer,
  passed,
  repeated,
  timedOut,
} from "../stages/automod-stage.js";

let stack: SharedStack;
let client: RestClient;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl, { prefix: "/api" });
});

const BotWithToken = z.object({ bot: Bot, token: z.string() });
const guarded = (settings: Record<string, unknown>) => createGuardedServer(client, settings, ["bad"]);
const members = async ({ owner, server }: GuardedServer) =>
  (await owner.get(`/servers/${server.id}/members`)).expect(200, z.array(Member));
const bans = async ({ owner, server }: GuardedServer) =>
  (await owner.get(`/servers/${server.id}/bans`)).expect(200, z.array(Ban));
const actions = async ({ logs }: GuardedServer) => (await logs()).map(({ action_taken }) => action_taken);
/** The audit log beside the creation of server and channel. */
const audit = async ({ owner, server }: GuardedServer) =>
  (await owner.get(`/servers/${server.id}/audit-logs?target_type=user`)).expect(200, z.array(AuditLogEntry));

describe("the timeout action", () => {
  test("the timeout action bars the author from the next message on, is not announced, and holds only while automod is enabled", async () => {
    const scene = await guarded({ word_filter_enabled: true, word_filter_action: "timeout", timeout_minutes: 60 });
    const { send, owner, path, author, server, channel } = scene;
    const witnesses = await connectWitnesses(stack, { insiders: [owner, author] });
    const before = Date.now();
    expect(await send("bad")).toEqual(filtered);
    expect(await send("good")).toEqual(timedOut);
    const until = (await members(scene)).find(({ user_id }) => user_id === author.user.id)?.timeout_expires_at;
    const timedOutAt = Date.parse(until ?? "") - 60 * 60_000;
    expect(timedOutAt).toBeGreaterThanOrEqual(before);
    expect(timedOutAt).toBeLessThanOrEqual(Date.now());
    expect(await actions(scene)).toEqual(["timeout"]);

    expect((await owner.patch(path, { enabled: false })).status).toBe(200);
    const meanwhile = await postMessage(author, channel.id, "bad while off");
    expect((await owner.patch(path, { enabled: true })).status).toBe(200);
    expect(await send("good")).toEqual(timedOut);
    const barrier = await postMessage(owner, channel.id, "barrier");
    await witnesses.expectEvents(
      ["MESSAGE_CREATE", asEvent(meanwhile, server.id, author)],
      ["MESSAGE_CREATE", asEvent(barrier, server.id, owner)],
    );
    witnesses.close();

    const timeout = `/servers/${server.id}/members/${author.user.id}/timeout`;
    expect((await owner.post(timeout, { duration_minutes: 5 })).status).toBe(200);
    expect((await owner.patch(path, { enabled: false })).status).toBe(200);
    expect(await send("good")).toEqual(timedOut);
    expect((await owner.delete(timeout)).status).toBe(204);
    expect(await send("good")).toEqual(passed);
    expect((await audit(scene)).map(({ action }) => action)).toEqual(["member_timeout_remove", "member_timeout"]);
  });

  test("the timeout action applies to the owner, and replaces a timeout by hand", async () => {
    const scene = await guarded({ word_filter_enabled: true, word_filter_action: "timeout" });
    const { send, owner, author, server, path } = scene;
    expect(await send("bad", owner)).toEqual(filtered);
    expect(await send("good", owner)).toEqual(timedOut);
    const timeout = `/servers/${server.id}/members/${author.user.id}/timeout`;
    await Promise.all([send("bad"), owner.post(timeout, { duration_minutes: 1 })]);
    expect(await send("good")).toEqual(timedOut);
    expect((await owner.delete(timeout)).status).toBe(204);
    expect(await send("bad")).toEqual(filtered);
    expect((await owner.patch(path, { enabled: false })).status).toBe(200);
    expect(await send("good")).toEqual(passed);
  });
});

describe("the actions kick and ban", () => {
  test("end the membership with the event of their kind, without audit; who was kicked may come back", async () => {
    const scene = await guarded({ word_filter_enabled: true, word_filter_action: "kick" });
    const { send, owner, author, server, channel } = scene;
    const watched = { insiders: [owner, author] };
    const witnesses = await connectWitnesses(stack, watched);
    expect(await send("bad")).toEqual(filtered);
    expect((await send("good"))[0]).toBe(404);
    const reason = "Auto-moderation: word_filter";
    await witnesses.expectEvents(["MEMBER_KICK", { server_id: server.id, user_id: author.user.id, reason }]);
    await joinServer(author, server.id);
    expect(await send("good")).toEqual(passed);
    witnesses.close();

    const again = await connectWitnesses(stack, watched);
    expect((await owner.patch(scene.path, { word_filter_action: "ban" })).status).toBe(200);
    expect(await send("bad again")).toEqual(filtered);
    await again.expectEvents(["MEMBER_BAN", { server_id: server.id, user_id: author.user.id, reason }]);
    again.close();
    expect((await author.post(`/servers/${server.id}/join`)).status).toBe(403);
    expect(await bans(scene)).toMatchObject([{ user_id: author.user.id, banned_by: owner.user.id, reason }]);
    expect(await members(scene)).toHaveLength(1);
    expect(await actions(scene)).toEqual(["ban", "kick"]);
    expect(await audit(scene)).toEqual([]);
    await postMessage(owner, channel.id, "peace");
  });

  test.each([
    ["kick", "MEMBER_KICK"],
    ["ban", "MEMBER_BAN"],
  ] as const)("a %s ends the author's voice before their membership", async (action, event) => {
    const scene = await guarded({ word_filter_enabled: true, word_filter_action: action });
    const { send, owner, author, server } = scene;
    const lobby = await createChannel(owner, server.id, { name: "lobby", type: "voice" });
    const voice = `/channels/${lobby.id}/voice`;
    const joined = (await author.post(voice)).expect(201, VoiceState.strict());
    const witnesses = await connectWitnesses(stack, { insiders: [owner, author] });
    expect(await send("bad")).toEqual(filtered);
    const target = { server_id: server.id, user_id: author.user.id };
    await witnesses.expectEvents(
      ["VOICE_STATE_UPDATE", { ...joined, channel_id: null, joined_at: null }],
      [event, { ...target, reason: "Auto-moderation: word_filter" }],
    );
    witnesses.close();
    expect((await owner.get(voice)).body).toEqual([]);
  });

  test("end the membership of a bot, whose messages are judged like anybody's", async () => {
    const scene = await guarded({ word_filter_enabled: true, word_filter_action: "ban", duplicate_enabled: true });
    const { owner, server, channel } = scene;
    const { bot, token } = (await owner.post("/bots", { name: "Helper" })).expect(201, BotWithToken);
    const asBot = client.withAuthorization(`Bot ${token}`);
    await joinServer(asBot, server.id);
    const send = async (content: string) => {
      const { status, body } = await asBot.post(`/channels/${channel.id}/messages`, { content });
      return [status, status === 201 ? undefined : body];
    };
    expect(await send("hello")).toEqual(passed);
    expect(await send("hello")).toEqual(repeated);
    expect(await send("bad")).toEqual(filtered);
    expect((await send("more"))[0]).toBe(404);
    expect(await bans(scene)).toMatchObject([{ user_id: bot.user_id, banned_by: owner.user.id }]);
    expect(await actions(scene)).toEqual(["ban", "delete"]);
  });

  test.each(["kick", "ban"])(
    "%s never removes the owner: their message is blocked, and that is what is logged",
    async (action) => {
      const scene = await guarded({
        word_filter_enabled: true,
        word_filter_action: action,
        spam_enabled: true,
        spam_max_messages: 1,
        spam_window_secs: 60,
        spam_action: action,
      });
      const { send, owner, channel } = scene;
      expect(await send("bad", owner)).toEqual(filtered);
      expect((await postMessage(owner, channel.id, "one")).deleted).toBe(false);
      expect((await postMessage(owner, channel.id, "two")).deleted).toBe(true);
      expect(await members(scene)).toHaveLength(2);
      expect(await bans(scene)).toEqual([]);
      expect(await actions(scene)).toEqual(["delete", "delete"]);
    },
  );
});

describe("a message that the spam rule matches", () => {
  const spam = { spam_enabled: true, spam_max_messages: 1, spam_window_secs: 60 };

  test("a message that the spam rule matches is announced, deleted and acted upon, in this order", async () => {
    const scene = await guarded({ ...spam, spam_action: "ban" });
    const { owner, author, server, channel } = scene;
    const outsider = await client.register();
    const witnesses = await connectWitnesses(stack, { insiders: [owner, author], outsiders: [outsider] });
    const first = await postMessage(author, channel.id, "one");
    const second = await postMessage(author, channel.id, "two");
    expect(second).toMatchObject({ deleted: true, content: "two" });
    await witnesses.expectEvents(
      ["MESSAGE_CREATE", asEvent(first, server.id, author)],
      ["MESSAGE_CREATE", asEvent({ ...second, deleted: false }, server.id, author)],
      ["MESSAGE_DELETE", { id: second.id, channel_id: channel.id }],
      ["MEMBER_BAN", { server_id: server.id, user_id: author.user.id, reason: "Auto-moderation: spam" }],
    );
    witnesses.close();
  });

  test("a message in a thread that the spam rule matches is announced as a reply, and does not count as one", async () => {
    const scene = await guarded({ ...spam, spam_action: "timeout", timeout_minutes: 10080 });
    const { owner, author, server, channel, send } = scene;
    const root = await postMessage(author, channel.id, "root");
    const witnesses = await connectWitnesses(stack, { insiders: [owner, author] });
    const thread = `/channels/${channel.id}/messages/${root.id}`;
    const reply = (await author.post(`${thread}/thread`, { content: "reply" })).expect(201, Message);
    expect(reply).toMatchObject({ deleted: true, content: "reply", thread_id: root.id });
    expect((await author.get(thread)).body).toMatchObject({ thread_reply_count: 0 });
    expect(await send("next")).toEqual(timedOut);
    await witnesses.expectEvents(
      ["THREAD_MESSAGE_CREATE", asEvent({ ...reply, deleted: false }, server.id, author)],
      ["MESSAGE_DELETE", { id: reply.id, channel_id: channel.id }],
    );
    witnesses.close();
    expect((await owner.get(scene.path)).expect(200, AutomodConfig).timeout_minutes).toBe(10080);
    expect(await actions(scene)).toEqual(["timeout"]);
  });
});
