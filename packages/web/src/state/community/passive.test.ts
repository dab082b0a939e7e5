import { expect, test } from "vitest";
import { applied, message, opened } from "../app/sample-state.js";
import type { AppState } from "../store/app-state.js";
import { windowOf } from "../store/history.js";

// Passive servers (docs/protocol/passive-servers.md#27.2): "channel" and "other" are channels of "server", "dm" is of none.

const listOf = (id: string) => windowOf([message(1, { channel_id: id })], { hasOlder: false, hasNewer: false });
const other = { ...opened.channels.channel, id: "other", server_id: "server" } as AppState["channels"][string];
const state: AppState = {
  ...opened,
  channels: { ...opened.channels, other },
  histories: { channel: listOf("channel"), other: listOf("other"), dm: listOf("dm") },
  threads: { root: listOf("other"), shown: listOf("channel") },
  pins: { channel: [], other: [] },
};
const view = (from: AppState, channel_ids: string[], passive: string[]) =>
  applied(from, "VIEW_ACK", { channel_ids, passive });
const staleOf = ({ histories, threads, pins }: AppState) => [
  ...Object.entries({ ...histories, ...threads }).flatMap(([id, { isStale }]) => (isStale ? [id] : [])),
  ...Object.keys(state.pins)
    .filter((id) => !(id in pins))
    .map((id) => `pins of ${id}`),
];
const fresh = (from: AppState): AppState => ({
  ...from,
  histories: state.histories,
  threads: state.threads,
  pins: state.pins,
});

test("without passive servers nothing is read again, whatever is shown", () => {
  expect(staleOf(view(view(state, ["channel"], []), ["other"], []))).toEqual([]);
});

test("when a server becomes passive, channels out of view become stale, conversations do not", () => {
  const shown = view(state, ["channel", "dm"], []);
  expect(staleOf(view(shown, ["channel", "dm"], ["server"]))).toEqual(["other", "root", "pins of other"]);
});

test("what comes into view is read again behind VIEW_ACK, and so is what went out of view", () => {
  const passive = fresh(view(view(state, ["channel"], []), ["channel"], ["server"]));
  expect(staleOf(view(passive, ["channel", "other"], ["server"]))).toEqual(["other", "root", "pins of other"]);
  expect(staleOf(view(passive, [], ["server"]))).toEqual([
    "channel",
    "other",
    "root",
    "shown",
    "pins of channel",
    "pins of other",
  ]);
});

test("channels in view stay current when the connection continues, and the rest becomes stale, also when the server is passive no longer", () => {
  const passive = fresh(view(view(state, ["channel"], []), ["channel"], ["server"]));
  for (const now of [["server"], []]) {
    const resumed = applied(passive, "RESUMED", { replayed: 0, presence: "current", passive: now });
    expect(staleOf(resumed)).toEqual(["other", "root", "pins of other"]);
    expect(resumed.passive).toEqual(now);
  }
});

test("CHANNEL_ACTIVITY sets the unread messages and mentions, except in channels that this page has just read", () => {
  const counts = { unread_count: 5, mention_count: 1 };
  const activity = (last_message_id: string) => ({
    server_id: "server",
    channels: [
      { channel_id: "channel", last_message_id, ...counts },
      { channel_id: "other", last_message_id: "x", unread_count: 0, mention_count: 0 },
    ],
  });
  const before: AppState = { ...state, unread: { channel: 3, other: 2 }, mentions: { other: 1 } };
  const told = applied(before, "CHANNEL_ACTIVITY", activity("later"));
  expect([told.unread, told.mentions]).toEqual([{ channel: 5 }, { channel: 1 }]);
  const newest = state.histories.channel?.messages.at(-1);
  const read: AppState = { ...before, unread: {}, readUpTo: { channel: newest?.created_at ?? "" } };
  expect(applied(read, "CHANNEL_ACTIVITY", activity(newest?.id ?? "")).unread).toEqual({});
});
