import type { Channel } from "@parley/client";
import { expect, test } from "vitest";
import { applied, type Case, channel, me, member, opened, ready } from "../app/sample-state.js";

// The events of docs/protocol/events.md#23.2 about servers, channels and members, each with its effect on the state.

const [chess] = ready.servers;
if (chess === undefined) throw new Error("The sample has no server.");
const club = { ...chess, id: "club", name: "Club" };
const inClub: Channel = { ...channel, id: "hall", server_id: "club" };
const role = {
  id: "role",
  server_id: "club",
  name: "Mods",
  permissions: 4,
  color: "#123456",
  position: 1,
  created_at: "2026-01-01T00:00:00.000Z",
};
const deny = { id: "o", channel_id: "hall", role_id: null, user_id: "me", allow: 0, deny: 1 };

const cases: Case[] = [
  {
    promise: "SERVER_JOIN adds the server with its roles, its overrides and the own membership",
    after: (state) =>
      applied(state, "SERVER_JOIN", {
        server: club,
        roles: [role],
        channel_overrides: { hall: [deny] },
        member: member("me"),
      }),
    part: ({ servers, roles, overrides, members }) => [
      servers.map(({ id }) => id),
      roles.club,
      overrides.hall,
      Object.keys(members.club ?? {}),
    ],
    expected: [["server", "club"], [role], [deny], ["me"]],
  },
  {
    promise: "SERVER_LEAVE takes all of a server that was left, and is no news",
    after: (state) => applied(state, "SERVER_LEAVE", { server_id: "server", reason: "left" }),
    part: ({ servers, channels, histories, members, removal }) => [servers, channels, histories, members, removal],
    expected: [[], {}, {}, {}, null],
  },
  {
    promise: "SERVER_LEAVE of a deleted server notifies the user",
    after: (state) => applied(state, "SERVER_LEAVE", { server_id: "server", reason: "deleted" }),
    part: ({ servers, removal }) => [servers, removal],
    expected: [[], { serverName: "Chess", how: "gone", reason: null }],
  },
  {
    promise: "SERVER_LEAVE does not notify a user who deletes the server in this tab",
    before: { ...opened, deleting: "server" },
    after: (state) => applied(state, "SERVER_LEAVE", { server_id: "server", reason: "deleted" }),
    part: ({ servers, removal }) => [servers, removal],
    expected: [[], null],
  },
  {
    promise: "a kick notifies the user with its reason, and the server goes with SERVER_LEAVE",
    after: (state) =>
      applied(
        applied(state, "MEMBER_KICK", { server_id: "server", user_id: "me", reason: "Too loud" }),
        "SERVER_LEAVE",
        {
          server_id: "server",
          reason: "kicked",
        },
      ),
    part: ({ servers, removal }) => [servers, removal],
    expected: [[], { serverName: "Chess", how: "kick", reason: "Too loud" }],
  },
  {
    promise: "SERVER_UPDATE renames the server in its place",
    before: { ...opened, servers: [chess, club] },
    after: (state) => applied(state, "SERVER_UPDATE", { ...chess, name: "Go" }),
    part: ({ servers }) => servers.map(({ name }) => name),
    expected: ["Go", "Club"],
  },
  {
    promise: "SERVER_UPDATE with another owner hides from the former one what members may not view",
    before: {
      ...opened,
      servers: [{ ...chess, owner_id: "me" }],
      overrides: { channel: [{ ...deny, channel_id: "channel" }] },
    },
    after: (state) => applied(state, "SERVER_UPDATE", chess),
    part: ({ channelIds }) => channelIds.server,
    expected: [],
  },
  {
    promise: "CHANNEL_CREATE puts the channel where the list has it",
    after: (state) =>
      applied(state, "CHANNEL_CREATE", { ...channel, id: "top", created_at: "2025-01-01T00:00:00.000Z" }),
    part: ({ channelIds, channels }) => [channelIds.server, channels.top?.name],
    expected: [["top", "channel"], "general"],
  },
  {
    promise: "CHANNEL_CREATE leaves a list that was not read to be read",
    before: { ...opened, servers: [chess, club] },
    after: (state) => applied(state, "CHANNEL_CREATE", inClub),
    part: ({ channelIds, channels }) => [channelIds.club, channels.hall],
    expected: [undefined, undefined],
  },
  {
    promise: "CHANNEL_UPDATE renames and moves",
    before: {
      ...opened,
      channels: { channel, second: { ...channel, id: "second", position: 1 } },
      channelIds: { server: ["channel", "second"] },
    },
    after: (state) => applied(state, "CHANNEL_UPDATE", { ...channel, name: "openings", position: 2 }),
    part: ({ channelIds, channels }) => [channelIds.server, channels.channel?.name],
    expected: [["second", "channel"], "openings"],
  },
  {
    promise: "CHANNEL_DELETE takes the channel with what is in it",
    before: { ...opened, unread: { channel: 2 }, overrides: { channel: [deny] } },
    after: (state) => applied(state, "CHANNEL_DELETE", { id: "channel", server_id: "server" }),
    part: ({ channelIds, channels, histories, unread, overrides }) => [
      channelIds,
      channels,
      histories,
      unread,
      overrides,
    ],
    expected: [{ server: [] }, {}, {}, {}, {}],
  },
  {
    promise: "MEMBER_UPDATE renames a member in the lists, and of direct messages",
    before: {
      ...opened,
      dmChannels: [
        {
          id: "dm",
          recipient: { ...me, id: "bob", username: "bob", email: null, is_admin: false },
          last_message_at: null,
          created_at: "2026-01-01T00:00:00.000Z",
        },
      ],
    },
    after: (state) =>
      applied(state, "MEMBER_UPDATE", {
        server_id: "server",
        member: { ...member("bob"), username: "bobby", nickname: "B", status: "offline" },
      }),
    part: ({ members, profiles, dmChannels, presence }) => [
      members.server?.bob?.nickname,
      profiles.bob?.username,
      dmChannels[0]?.recipient.username,
      presence.bob?.status,
    ],
    expected: ["B", "bobby", "bobby", "online"],
  },
  {
    promise: "MEMBER_LEAVE with a deleted account leaves its messages without a name",
    after: (state) =>
      applied(state, "MEMBER_LEAVE", { server_id: "server", user_id: "bob", reason: "account_deleted" }),
    part: ({ members, profiles }) => [Object.keys(members.server ?? {}), profiles.bob],
    expected: [["me"], null],
  },
  {
    promise: "USER_UPDATE changes the own profile wherever it is shown",
    after: (state) => applied(state, "USER_UPDATE", { ...me, bio: "Chess", avatar_url: "/me.png", status: "dnd" }),
    part: (state) => [state.me?.bio, state.profiles.me?.avatar_url, state.presence.me?.status],
    expected: ["Chess", "/me.png", "dnd"],
  },
];

test.each(cases)("$promise", ({ before = opened, after, part, expected }) => {
  const once = after(before);
  expect(part(once)).toEqual(expected);
  expect(part(after(once))).toEqual(expected);
});

test("members who join and leave are counted, and listed where the list was opened", () => {
  const joined = applied(opened, "MEMBER_JOIN", {
    server_id: "server",
    member: { ...member("zoe"), status: "offline" },
  });
  expect([joined.memberCounts.server, joined.members.server?.zoe?.username, joined.profiles.zoe?.username]).toEqual([
    { total: 3, online: 2 },
    "zoe",
    "zoe",
  ]);
  const left = applied(joined, "MEMBER_LEAVE", { server_id: "server", user_id: "bob", reason: "kicked" });
  expect([left.memberCounts.server, Object.keys(left.members.server ?? {})]).toEqual([
    { total: 2, online: 1 },
    ["me", "zoe"],
  ]);
  const elsewhere = applied(joined, "MEMBER_JOIN", { server_id: "club", member: member("zoe") });
  expect(elsewhere.members.club).toBeUndefined();
});
