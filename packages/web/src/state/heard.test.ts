import type { NotificationSettings } from "@parley/client";
import { describe, expect, test } from "vitest";
import type { AppState } from "./app-state.js";
import { isChannelMuted, isHeard, isQuiet, isShownUnread, levelOf, shownMentions } from "./heard.js";
import { message, opened } from "./sample-state.js";

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

test("what is muted mutes all below it until its time is over, and does not stand out in lists", () => {
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
    [
      "a mention in quiet hours",
      { quiet: { from: "00:00", to: "23:59" } },
      mention,
      false,
      new Date().toISOString().slice(11, 16) === "23:59",
    ],
  ])("%s", (_, settings, given, isReply, expected) => {
    expect(isHeard(set(settings), given, isReply)).toBe(expected);
  });
});
