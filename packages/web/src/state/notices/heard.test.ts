import type { Message, NotificationSettings, PublicProfile } from "@parley/client";
import { describe, expect, test } from "vitest";
import { me, message, opened } from "../app/sample-state.js";
import type { AppState } from "../store/app-state.js";
import { isChannelMuted, isNotified, isQuiet, isShownUnread, levelOf, noticeText, shownMentions } from "./heard.js";

const defaults: NotificationSettings = {
  default: { level: "mentions" },
  servers: {},
  channels: {},
  threads: {},
  quiet: null,
  timezone: "UTC",
  push: { enabled: true, content: true },
  mail: "off",
};
const set = (settings: Partial<NotificationSettings>): AppState => ({
  ...opened,
  notifications: { ...defaults, ...settings },
});
const ofServer = (fields: object) => ({
  servers: { server: { level: null, muted_until: null, suppress_everyone: false, ...fields } },
});
const ofChannel = (fields: object) => ({ channels: { channel: { level: null, muted_until: null, ...fields } } });

/** The time so many minutes from now, in UTC. */
const timeOfDay = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16);
const presenceOf = (status: "online" | "away" | "dnd") => ({ me: { status, custom_status: null, activity: null } });
const blocked: PublicProfile = {
  id: "bob",
  username: "bob",
  avatar_url: null,
  bio: null,
  pronouns: null,
  status: "offline",
  custom_status: null,
  activity: null,
  created_at: me.created_at,
};

test("a thread goes before its channel, a channel before its server, a server before the default", () => {
  const settings = {
    ...ofServer({ level: "all" }),
    ...ofChannel({ level: "nothing" }),
    threads: { root: { level: "all" as const } },
  };
  expect(levelOf(set(settings), "channel", "root")).toBe("all");
  expect(levelOf(set(settings), "channel", "another")).toBe("nothing");
  expect(levelOf(set({ ...settings, channels: {} }), "channel")).toBe("all");
  expect(levelOf(set({ default: { level: "nothing" } }), "channel")).toBe("nothing");
  expect(levelOf({ ...opened, notifications: null }, "channel")).toBe("mentions");
});

test("a muted server or channel mutes all below it until the mute expires, and does not stand out in lists", () => {
  const [past, coming] = ["2020-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z"];
  for (const muted_until of ["forever", coming]) {
    for (const settings of [ofServer({ muted_until }), ofChannel({ muted_until })]) {
      const state = { ...set(settings), unread: { channel: 3 }, mentions: { channel: 2 } };
      expect([
        isChannelMuted(state, "channel"),
        isShownUnread(state, "channel"),
        shownMentions(state, "channel"),
      ]).toEqual([true, false, 0]);
    }
  }
  for (const muted_until of [past, null]) {
    const state = { ...set(ofChannel({ muted_until })), unread: { channel: 3 }, mentions: { channel: 2 } };
    expect([
      isChannelMuted(state, "channel"),
      isShownUnread(state, "channel"),
      shownMentions(state, "channel"),
    ]).toEqual([false, true, 2]);
  }
});

test.each([
  [{ from: "22:00", to: "07:00" }, "UTC", "2026-01-01T23:30:00Z", true],
  [{ from: "22:00", to: "07:00" }, "UTC", "2026-01-01T06:59:00Z", true],
  [{ from: "22:00", to: "07:00" }, "UTC", "2026-01-01T07:00:00Z", false],
  [{ from: "12:00", to: "13:00" }, "UTC", "2026-01-01T12:30:00Z", true],
  [{ from: "12:00", to: "13:00" }, "Asia/Tokyo", "2026-01-01T12:30:00Z", false],
  [{ from: "12:00", to: "13:00" }, "Asia/Tokyo", "2026-01-01T03:30:00Z", true],
  [null, "UTC", "2026-01-01T03:30:00Z", false],
])("quiet from %j in %s at %s: %s", (quiet, timezone, at, expected) => {
  expect(isQuiet(set({ quiet, timezone }), new Date(at))).toBe(expected);
});

describe("a message", () => {
  const plain = message(3, { author_id: "bob" });
  const mention = { ...plain, mention_user_ids: ["me"] };
  const everyone = { ...plain, mention_everyone: true };

  test.each<[string, Partial<NotificationSettings>, typeof plain, boolean, boolean]>([
    ["no mention", {}, plain, false, false],
    ["a mention", {}, mention, false, true],
    ["a reply to one of the user's", {}, plain, true, true],
    ["everyone", {}, everyone, false, true],
    ["everyone in a server that suppresses that", ofServer({ suppress_everyone: true }), everyone, false, false],
    ["a mention in a server that suppresses everyone", ofServer({ suppress_everyone: true }), mention, false, true],
    ["no mention, of all", { default: { level: "all" } }, plain, false, true],
    ["a mention, of nothing", ofChannel({ level: "nothing" }), mention, true, false],
    ["a mention in a muted server", ofServer({ level: "all", muted_until: "forever" }), mention, true, false],
    [
      "a reply in a thread that is followed",
      { threads: { root: { level: "all" } } },
      { ...plain, thread_id: "root" },
      false,
      true,
    ],
    ["a mention in quiet hours", { quiet: { from: timeOfDay(-60), to: timeOfDay(60) } }, mention, false, false],
  ])("%s", (_, settings, given, isReply, expected) => {
    expect(isNotified(set(settings), given, isReply)).toBe(expected);
  });
});

describe("notices in the background, by the rules of the push", () => {
  const direct: AppState = {
    ...set({}),
    dmChannels: [
      {
        id: "direct",
        recipient: { ...me, id: "bob", email: null, is_admin: false },
        created_at: me.created_at,
        last_message_at: null,
      },
    ],
  };
  const sent = message(3, { author_id: "bob", mention_user_ids: ["me"] });
  const directly = { ...sent, channel_id: "direct", mention_user_ids: [] };
  const places: [string, Message][] = [
    ["a mention in a channel", sent],
    ["a direct message", directly],
  ];
  const settings = (changes: Partial<NotificationSettings>) => ({ notifications: { ...defaults, ...changes } });
  const levels = (level: "all" | "mentions" | "nothing", muted_until: string | null = null) => {
    const entry = { level, muted_until };
    return settings({ channels: { channel: entry, direct: entry } });
  };
  const always = { from: "00:00", to: "24:00" };

  test.each(
    places.flatMap(([what, given]) =>
      (
        [
          ["while nothing forbids it", {}, true],
          ["before the settings are there", { notifications: null }, true],
          ["do not disturb", { me: { ...me, status: "dnd" as const }, presence: {} }, false],
          ["do not disturb, said by another device", { presence: presenceOf("dnd") }, false],
          ["online again", { me: { ...me, status: "dnd" as const }, presence: presenceOf("online") }, true],
          ["away", { presence: presenceOf("away") }, true],
          ["quiet hours", settings({ quiet: always }), false],
          ["a muted place", levels("all", "forever"), false],
          ["a place of which nothing is heard", levels("nothing"), false],
          ["a place of which all is heard", levels("all"), true],
          ["somebody who is blocked", { blocks: { bob: blocked } }, false],
          ["a place that is gone", { channels: {}, dmChannels: [] }, false],
        ] as const
      ).map(([when, changes, isExpected]) => [what, when, changes, given, isExpected] as const),
    ),
  )("%s, %s", (_what, _when, changes, given, isExpected) => {
    expect(isNotified({ ...direct, ...changes }, given, false)).toBe(isExpected);
  });

  test("one's own message causes no notice, and in a conversation with mentions alone only a reply does", () => {
    for (const [, given] of places) expect(isNotified(direct, { ...given, author_id: "me" }, true)).toBe(false);
    const state = { ...direct, ...levels("mentions") };
    expect([isNotified(state, directly, false), isNotified(state, directly, true)]).toEqual([false, true]);
  });

  test("a notice has no text where contents are kept out of notices", () => {
    expect(noticeText(direct, "secret")).toBe("secret");
    expect(noticeText({ ...direct, ...settings({ push: { enabled: true, content: false } }) }, "secret")).toBe("");
  });
});
