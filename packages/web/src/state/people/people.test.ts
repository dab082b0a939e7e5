import type { PublicProfile } from "@parley/client";
import { expect, test } from "vitest";
import { applied, asEvent, message, opened } from "../app/sample-state.js";
import { countRequests } from "./people.js";

const profile = (id: string): PublicProfile => ({
  id,
  username: id,
  avatar_url: null,
  status: "offline",
  custom_status: null,
  activity: null,
  bio: null,
  pronouns: null,
  created_at: "2026-01-01T00:00:00.000Z",
});

test("a message by somebody blocked is unread and no mention", () => {
  const blocking = applied({ ...opened, blocks: {} }, "BLOCK_UPDATE", { user: profile("owner"), blocked: true });
  const mention = asEvent(message(3, { mention_user_ids: ["me"] }));
  const { unread, mentions } = applied(blocking, "MESSAGE_CREATE", mention);
  expect([unread.channel, mentions.channel]).toEqual([1, undefined]);
  const unblocked = applied(blocking, "BLOCK_UPDATE", { user: profile("owner"), blocked: false });
  expect(applied(unblocked, "MESSAGE_CREATE", mention).mentions.channel).toBe(1);
});

test("requests to the user are counted until they are answered", () => {
  const asked = applied({ ...opened, friends: {} }, "FRIEND_UPDATE", { user: profile("bob"), state: "incoming" });
  const both = applied(asked, "FRIEND_UPDATE", { user: profile("ann"), state: "outgoing" });
  expect(countRequests(both)).toBe(1);
  expect(countRequests(applied(both, "FRIEND_UPDATE", { user: profile("bob"), state: "friends" }))).toBe(0);
  expect(countRequests(applied(both, "FRIEND_UPDATE", { user: profile("bob"), state: "none" }))).toBe(0);
});
