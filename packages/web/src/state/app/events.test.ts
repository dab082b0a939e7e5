import { describe, expect, test } from "vitest";
import { channelPermissions, mayInChannel, visibleChannels } from "../access/permissions.js";
import { onMemberRoleAdd, onOverride, onOverrideDelete, onRole, onRoleDelete } from "../community/server-events.js";
import {
  onTyping,
  onVoiceState,
  presenceUnknown,
  typingExpired,
  typingMs,
  withMembers,
} from "../community/user-events.js";
import { messageSent, onReaction } from "../conversations/message-events.js";
import { withOutcome, withoutPending, withPending } from "../conversations/pending.js";
import { type AppState, emptyState, type PendingMessage } from "../store/app-state.js";
import { windowOf } from "../store/history.js";
import { applyEvent } from "./events.js";
import { asEvent, begun, me, member, message, ready } from "./sample-state.js";

const opened: AppState = {
  ...begun,
  unread: {},
  histories: { channel: windowOf([message(2), message(1)], { hasOlder: false, hasNewer: false }) },
};
const contents = (state: AppState) => state.histories.channel?.messages.map(({ content }) => content);

const pendingMessage: PendingMessage = {
  nonce: "n1",
  channelId: "channel",
  threadId: null,
  content: "hello",
  replyTo: null,
  files: [],
  createdAt: "2026-01-02T00:00:00.000Z",
  state: "sending",
  attempts: 1,
  error: null,
};

describe("READY", () => {
  test("READY brings counts and keeps read histories, as stale", () => {
    const again = applyEvent.READY?.(opened, ready);
    expect(again?.unread).toEqual({ channel: 3 });
    expect(again?.histories.channel).toMatchObject({ isStale: true, messages: [{ content: "text 1" }, {}] });
  });

  test("READY forgets servers that the user is no longer in", () => {
    const again = applyEvent.READY?.(opened, { ...ready, servers: [] });
    expect([again?.servers, again?.channels, again?.histories]).toEqual([[], {}, {}]);
  });
});

describe("messages in the state of the page", () => {
  test("messages of others are added and counted, with mentions", () => {
    const mention = applyEvent.MESSAGE_CREATE?.(opened, asEvent(message(3, { mention_user_ids: ["me"] })));
    const next = applyEvent.MESSAGE_CREATE?.(mention ?? opened, asEvent(message(4))) ?? opened;
    expect(contents(next)).toEqual(["text 1", "text 2", "text 3", "text 4"]);
    expect([next.unread.channel, next.mentions.channel]).toEqual([2, 1]);
  });

  test("messages of the user are not counted", () => {
    expect(applyEvent.MESSAGE_CREATE?.(opened, asEvent(message(3, { author_id: "me" }))).unread).toEqual({});
  });

  test.each(["answer", "event"])(
    "messages that were pending are there once, whichever of answer and event is first (%s)",
    (first) => {
      const sent = { ...message(3, { author_id: "me", content: "hello" }), nonce: "n1" };
      const pending = withPending(opened, pendingMessage);
      expect(pending.pending.channel).toEqual([pendingMessage]);
      const byAnswer = (state: AppState) => messageSent(state, sent);
      const byEvent = (state: AppState) => applyEvent.MESSAGE_CREATE?.(state, asEvent(sent)) ?? state;
      const next = first === "answer" ? byEvent(byAnswer(pending)) : byAnswer(byEvent(pending));
      expect(contents(next)).toEqual(["text 1", "text 2", "hello"]);
      expect(next.pending.channel).toEqual([]);
    },
  );

  test("messages that failed keep their place, and stay away once the event says that they arrived", () => {
    const outcome: PendingMessage = { ...pendingMessage, state: "waiting", error: "The server cannot be reached." };
    const failed = withOutcome(withPending(opened, pendingMessage), outcome);
    expect(failed.pending.channel).toEqual([outcome]);
    const arrived = withoutPending(failed, "channel", "n1");
    expect(withOutcome(arrived, outcome).pending.channel).toEqual([]);
  });

  test("a message whose event came before its copy from another tab is there once", () => {
    const sent = { ...message(3, { author_id: "me", content: "hello" }), nonce: "n1" };
    const arrived = applyEvent.MESSAGE_CREATE?.(opened, asEvent(sent)) ?? opened;
    expect(contents(arrived)).toEqual(["text 1", "text 2", "hello"]);
    expect(withPending(arrived, pendingMessage).pending.channel ?? []).toEqual([]);
  });

  test("messages in the state of the page are edited and deleted where they are shown", () => {
    const edited = applyEvent.MESSAGE_UPDATE?.(opened, asEvent(message(1, { content: "new" }))) ?? opened;
    expect(contents(edited)).toEqual(["new", "text 2"]);
    expect(
      contents(applyEvent.MESSAGE_DELETE?.(edited, { id: message(2).id, channel_id: "channel" }) ?? edited),
    ).toEqual(["new"]);
  });

  test("messages in threads count at their root", () => {
    const rootId = message(1).id;
    const reply = message(3, { thread_id: rootId });
    const thread = windowOf([], { hasOlder: false, hasNewer: false });
    const replied =
      applyEvent.THREAD_MESSAGE_CREATE?.({ ...opened, threads: { [rootId]: thread } }, asEvent(reply)) ?? opened;
    expect(replied.histories.channel?.messages[0]?.thread_reply_count).toBe(1);
    expect(replied.threads[rootId]?.messages).toEqual([reply]);
    const deleted = applyEvent.MESSAGE_DELETE?.(replied, { id: reply.id, channel_id: "channel" });
    expect(deleted?.histories.channel?.messages[0]?.thread_reply_count).toBe(0);
  });
});

test("reactions count once for the user, and as often as others send them", () => {
  const add = { message_id: "m", channel_id: "channel", user_id: "me", emoji: "👍" };
  const once = onReaction({ ...opened, reactions: { m: [] } }, add, 1);
  expect(onReaction(once, add, 1)).toBe(once);
  const both = onReaction(once, { ...add, user_id: "bob" }, 1);
  expect(both.reactions.m).toEqual([{ emoji: "👍", count: 2, me: true }]);
  expect(onReaction(onReaction(both, add, -1), { ...add, user_id: "bob" }, -1).reactions.m).toEqual([]);
});

test("typing ends by itself, and with the message", () => {
  const event = { user_id: "owner", username: "bob", channel_id: "channel", timestamp: "2026-01-02T00:00:00.000Z" };
  const typing = onTyping(opened, event, 1_000);
  expect(typing.typing.channel).toHaveLength(1);
  expect(typingExpired(typing, 1_000 + typingMs).typing).toEqual({});
  expect(applyEvent.MESSAGE_CREATE?.(typing, asEvent(message(3))).typing.channel).toEqual([]);
});

test("a user is in one voice channel at most", () => {
  const voiceState = {
    user_id: "bob",
    self_mute: false,
    self_deaf: false,
    self_video: false,
    self_screen: false,
    server_mute: false,
    server_deaf: false,
    joined_at: null,
    username: "bob",
  };
  const moved = onVoiceState(onVoiceState(opened, { ...voiceState, channel_id: "a" }), {
    ...voiceState,
    channel_id: "b",
  });
  expect([Object.keys(moved.voice.a ?? {}), Object.keys(moved.voice.b ?? {})]).toEqual([[], ["bob"]]);
  expect(onVoiceState(moved, { ...voiceState, channel_id: null }).voice.b).toEqual({});
});

test("presence that is asked for anew is offline until the server says otherwise", () => {
  const known = withMembers(opened, "server", [member("bob")]);
  expect(presenceUnknown(known, ["bob", "unknown"]).presence.bob?.status).toBe("offline");
});

describe("permissions of the user", () => {
  const joined = withMembers(opened, "server", [member("me")]);
  const role = {
    id: "role",
    server_id: "server",
    name: "Mods",
    permissions: 4,
    color: "#123456",
    position: 1,
    created_at: "2026-01-01T00:00:00.000Z",
  };
  const given = { server_id: "server", user_id: "me", role_id: "role", role_name: "Mods", role_color: "#123456" };

  test("permissions of the user are none while nothing is known", () => {
    expect([channelPermissions(emptyState, "channel"), channelPermissions(opened, "channel")]).toEqual([0, 0]);
  });

  test("follow roles and overrides", () => {
    expect(mayInChannel(joined, "channel", "MANAGE_MESSAGES")).toBe(false);
    const mod = onMemberRoleAdd(onRole(joined, role), given);
    expect(mayInChannel(mod, "channel", "MANAGE_MESSAGES")).toBe(true);
    const override = { id: "o", channel_id: "channel", role_id: "role", user_id: null, allow: 0, deny: 2 };
    const muted = onOverride(mod, override);
    expect(mayInChannel(muted, "channel", "SEND_MESSAGES")).toBe(false);
    const freed = onRoleDelete(muted, { server_id: "server", role_id: "role" });
    expect(mayInChannel(freed, "channel", "SEND_MESSAGES")).toBe(true);
    expect(mayInChannel(freed, "channel", "MANAGE_MESSAGES")).toBe(false);
  });

  test("hide a channel that is known, and show it again, without another list of channels", () => {
    const joined = withMembers(begun, "server", [member(me.id)]);
    const override = { id: "o", channel_id: "channel", role_id: null, user_id: me.id, allow: 0, deny: 1 };
    const names = (state: AppState) => visibleChannels(state, "server")?.map(({ id }) => id);
    expect(names(joined)).toContain("channel");
    const hidden = onOverride(joined, override);
    expect(names(hidden)).not.toContain("channel");
    expect(names(onOverrideDelete(hidden, { channel_id: "channel", override_id: "o" }))).toContain("channel");
  });

  test("forget hidden channels, so that they are read anew once they are shown again", () => {
    const joined = withMembers({ ...opened, unread: { channel: 2 } }, "server", [member(me.id)]);
    const override = { id: "o", channel_id: "channel", role_id: null, user_id: me.id, allow: 0, deny: 1 };
    const hidden = applyEvent.CHANNEL_OVERRIDE_UPDATE?.(joined, override);
    expect([hidden?.channels, hidden?.channelIds, hidden?.histories, hidden?.unread]).toEqual([
      {},
      { server: [] },
      {},
      {},
    ]);
    expect(hidden?.overrides).toEqual({ channel: [override] });
    const ofAnother = { ...override, user_id: "somebody" };
    expect(applyEvent.CHANNEL_OVERRIDE_UPDATE?.(joined, ofAnother).channels).toBe(joined.channels);
  });
});
