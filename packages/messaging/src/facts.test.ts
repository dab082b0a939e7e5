import {
  createEvent,
  type EventName,
  type EventPayload,
  events,
  factsHeader,
  type OutgoingEvent,
} from "@parley/contracts";
import { describe, expect, test } from "vitest";
import { toHeaders } from "./publish.js";
import { toReceivedEvent } from "./subscribe.js";

const [id, userId, serverId, channelId] = ["m", "u", "s", "c"];
const at = "2026-01-01T00:00:00.000Z";
const place = { server_id: serverId, channel_id: channelId };
const user = { user_id: userId };
const message: EventPayload<"MESSAGE_CREATE"> = {
  id,
  channel_id: channelId,
  author_id: userId,
  content: "Hello",
  reply_to: null,
  mention_user_ids: ["a", "b"],
  mention_everyone: false,
  thread_id: null,
  thread_reply_count: 0,
  edited_at: null,
  deleted: false,
  created_at: at,
  pinned: false,
  pinned_by: null,
  pinned_at: null,
  poll: null,
  event: null,
  server_id: serverId,
  author: null,
};
const role = { server_id: serverId, user_id: userId, role_id: "r", role_name: "Mods", role_color: "#ffffff" };
const member = {
  user_id: userId,
  username: "ann",
  avatar_url: null,
  nickname: null,
  joined_at: at,
  timeout_expires_at: null,
  roles: [],
  status: "online" as const,
  custom_status: null,
  activity: null,
};
const settings = (threads: Record<string, { level: "all" | "mentions" | null }>) => ({
  default: { level: "mentions" as const },
  servers: {},
  channels: {},
  threads,
  quiet: null,
  timezone: "UTC",
  push: { enabled: true, content: true },
  mail: "off" as const,
});
const nothing = { email: null, avatar_url: null, bio: null, pronouns: null, custom_status: null, activity: null };
const partner = { id: "p", username: "bob", ...nothing, status: "offline", is_admin: false, created_at: at } as const;
const dm = { id: channelId, recipient: partner, created_at: at, last_message_at: null };

/** Every event with facts, and the facts of it. */
const samples: [event: OutgoingEvent, facts: Record<string, string>][] = [
  [createEvent("MESSAGE_CREATE", place, message), { message: id, author: userId, mentions: "a,b" }],
  [
    createEvent("MESSAGE_CREATE", place, { ...message, author_id: null, mention_everyone: true }),
    { message: id, mentions: "everyone" },
  ],
  [
    createEvent("THREAD_MESSAGE_CREATE", place, { ...message, thread_id: "t", mention_user_ids: [] }),
    { message: id, author: userId, thread: "t" },
  ],
  [createEvent("MESSAGE_UPDATE", place, message), { message: id, mentions: "a,b" }],
  [createEvent("MEMBER_ROLE_ADD", place, role), { user: userId }],
  [createEvent("MEMBER_ROLE_REMOVE", place, role), { user: userId }],
  [createEvent("MEMBER_UPDATE", place, { server_id: serverId, member }), { user: userId }],
  [createEvent("DM_CHANNEL_CREATE", user, dm), { user: "p" }],
  [
    createEvent(
      "NOTIFICATIONS_UPDATE",
      user,
      settings({ a: { level: "all" }, b: { level: null }, c: { level: "all" } }),
    ),
    { follows: "a,c" },
  ],
  [createEvent("NOTIFICATIONS_UPDATE", user, settings({})), { follows: "none" }],
  [
    createEvent("READ_STATE_UPDATE", user, {
      channel_id: channelId,
      last_read_at: at,
      unread_count: 0,
      mention_count: 0,
    }),
    { channel: channelId, read_at: at },
  ],
  [createEvent("SERVER_JOINED", user, { ...user, server_id: serverId }), { server: serverId }],
  [
    createEvent("SERVER_LEFT", user, { ...user, server_id: serverId, reason: "kicked" }),
    { server: serverId, reason: "kicked" },
  ],
  [createEvent("SESSION_CLOSE", user, { connection_id: null }), { ends: "all" }],
  [createEvent("SESSION_CLOSE", user, { connection_id: "k" }), { ends: "connection k" }],
  [createEvent("SESSION_CLOSE", user, { connection_id: null, session_id: "n" }), { ends: "session n" }],
  [createEvent("SESSION_CLOSE", user, { connection_id: null, before_version: 3 }), { ends: "before 3" }],
];

const received = ({ subject }: OutgoingEvent, headers: Record<string, string>, body: string) =>
  toReceivedEvent(
    { subject, data: Buffer.from(body), headers: toHeaders(headers) },
    { subject, stored: null, recovered: false },
  );

describe("the facts of a received event", () => {
  test("are known of every event that declares some", () => {
    const named = Object.entries(events).flatMap(([name, entry]) => ("facts" in entry ? [name] : []));
    expect(new Set(samples.map(([{ name }]): EventName => name))).toEqual(new Set(named));
  });

  test.each(samples)("come from its headers, and its body is not parsed: $name", (event, facts) => {
    expect(received(event, event.headers, "no JSON")?.facts).toEqual(facts);
  });

  test.each(samples)("come from its body where the version before wrote it: $name", (event, facts) => {
    const others = Object.entries(event.headers).filter(([name]) => name !== factsHeader);
    const old = received(event, Object.fromEntries(others), event.body)?.facts ?? {};
    expect(Object.fromEntries(Object.entries(old).filter(([, value]) => value !== undefined))).toEqual(facts);
  });

  test("are none when the body of the version before says something else", () => {
    const [event] = samples[0] ?? [];
    expect(event && received(event, {}, '{"op":"DISPATCH","t":"MESSAGE_CREATE","d":null}')?.facts).toEqual({});
  });
});
