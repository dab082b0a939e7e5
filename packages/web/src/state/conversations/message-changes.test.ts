import type { Message } from "@parley/client";
import { expect, test } from "vitest";
import { applied, asEvent, type Case, member, message, opened, picture } from "../app/sample-state.js";
import type { AppState } from "../store/app-state.js";
import { windowOf } from "../store/history.js";
import { withListedDetails } from "./listed-details.js";
import { setInterest } from "./message-events.js";

// The events of docs/protocol/events.md#23.2 about messages and read marks, each with its effect on the state.

const file = (id: string, url = `/${id}`) => picture(message(1).id, id, url);
const event: NonNullable<Message["event"]> = {
  id: "event",
  name: "Blitz",
  description: null,
  starts_at: "2026-02-01T20:00:00.000Z",
  created_by: "owner",
  created_at: "2026-01-02T00:00:00.000Z",
};
const known = { ...event, interested_count: 1 };
const card = { url: "https://a.example", title: "A", description: null, image: null, site_name: null };
const scheduled = {
  ...opened,
  histories: { channel: windowOf([message(1, { event })], { hasOlder: false, hasNewer: false }) },
};
const first = (state: AppState) => state.histories.channel?.messages[0];
const contents = (state: AppState) => state.histories.channel?.messages.map(({ content }) => content);
const readAt = (at: string) => ({ channel_id: "channel", last_read_at: at, unread_count: 0, mention_count: 0 });
const written = (number: number, at: string) => message(number, { created_at: `2026-01-02T00:00:${at}.000Z` });

const cases: Case[] = [
  {
    promise: "ATTACHMENT_CREATE adds files, and those that are shown keep their addresses",
    before: { ...opened, attachments: { [message(1).id]: [file("a")] } },
    after: (state) =>
      applied(state, "ATTACHMENT_CREATE", {
        channel_id: "channel",
        message_id: message(1).id,
        attachments: [file("a", "/signed-anew"), file("b")],
      }),
    part: ({ attachments }) => attachments[message(1).id]?.map(({ url }) => url),
    expected: ["/a", "/b"],
  },
  {
    promise: "MESSAGE_PREVIEWS gives a message its link cards, which an edit leaves",
    after: (state) =>
      applied(
        applied(state, "MESSAGE_PREVIEWS", { channel_id: "channel", message_id: message(1).id, previews: [card] }),
        "MESSAGE_UPDATE",
        asEvent(message(1, { content: "edited" })),
      ),
    part: first,
    expected: { ...message(1, { content: "edited" }), previews: [card] },
  },
  {
    promise: "EVENT_UPDATE changes the event in its message",
    before: scheduled,
    after: (state) =>
      applied(state, "EVENT_UPDATE", { ...event, name: "Rapid", channel_id: "channel", message_id: message(1).id }),
    part: (state) => first(state)?.event,
    expected: { ...event, name: "Rapid" },
  },
  {
    promise: "EVENT_UPDATE and MESSAGE_UPDATE leave what the viewer chose, which they do not say",
    before: setInterest(
      applied(scheduled, "EVENT_UPDATE", { ...known, channel_id: "channel", message_id: message(1).id }),
      message(1),
      true,
    ),
    after: (state) => {
      const more = { ...event, interested_count: 2 };
      const two = applied(state, "EVENT_UPDATE", { ...more, channel_id: "channel", message_id: message(1).id });
      return applied(two, "MESSAGE_UPDATE", asEvent(message(1, { event: more })));
    },
    part: (state) => first(state)?.event,
    expected: { ...event, interested_count: 2, me: true },
  },
  {
    promise: "EVENT_DELETE takes the message of the event",
    before: scheduled,
    after: (state) => applied(state, "EVENT_DELETE", { id: "event", channel_id: "channel", message_id: message(1).id }),
    part: contents,
    expected: [],
  },
  {
    promise: "MESSAGE_DELETE_BULK takes all messages that it names",
    after: (state) =>
      applied(state, "MESSAGE_DELETE_BULK", { channel_id: "channel", ids: [message(1).id, message(2).id, "unknown"] }),
    part: contents,
    expected: [],
  },
  {
    promise: "READ_STATE_UPDATE ends the marks of a channel that was read on another device",
    before: { ...opened, unread: { channel: 2, other: 1 }, mentions: { channel: 1 } },
    after: (state) => applied(state, "READ_STATE_UPDATE", readAt("2026-01-03T00:00:00.000Z")),
    part: ({ unread, mentions }) => [unread, mentions],
    expected: [{ other: 1 }, {}],
  },
  {
    promise: "READ_STATE_UPDATE counts on what was sent after the reading and arrived before the event",
    before: {
      ...opened,
      unread: { channel: 2 },
      histories: {
        channel: windowOf([written(3, "30"), written(2, "20"), written(1, "10")], { hasOlder: false, hasNewer: false }),
      },
    },
    after: (state) => applied(state, "READ_STATE_UPDATE", readAt("2026-01-02T00:00:25.000Z")),
    part: ({ unread }) => unread,
    expected: { channel: 1 },
  },
  {
    promise: "READ_STATE_UPDATE that is older than what this tab has read changes nothing",
    before: { ...opened, unread: {}, readUpTo: { channel: "2026-01-02T00:00:30.000Z" } },
    after: (state) => applied(state, "READ_STATE_UPDATE", { ...readAt("2026-01-02T00:00:25.000Z"), unread_count: 1 }),
    part: ({ unread }) => unread,
    expected: {},
  },
  {
    promise: "READ_STATE_UPDATE with a mark that goes back counts what is unread from there on",
    before: {
      ...opened,
      histories: {},
      readUpTo: { channel: "2026-01-02T00:00:30.000Z" },
      marked: { channel: "2026-01-02T00:00:30.000Z" },
    },
    after: (state) =>
      applied(state, "READ_STATE_UPDATE", { ...readAt("2026-01-02T00:00:25.000Z"), unread_count: 7, mention_count: 2 }),
    part: ({ unread, mentions }) => [unread, mentions],
    expected: [{ channel: 7 }, { channel: 2 }],
  },
  {
    promise: "a message that another device has read is not counted when its event is late",
    after: (state) =>
      applied(
        applied(state, "READ_STATE_UPDATE", readAt("2026-01-03T00:00:00.000Z")),
        "MESSAGE_CREATE",
        asEvent(message(3)),
      ),
    part: ({ unread }) => unread,
    expected: {},
  },
  {
    promise: "MESSAGE_PIN puts a message that the page has into the list of pins",
    after: (state) =>
      applied(state, "MESSAGE_PIN", {
        message_id: message(2).id,
        channel_id: "channel",
        pinned_by: "owner",
        pinned_at: "2026-01-03T00:00:00.000Z",
      }),
    part: ({ pins }) => pins.channel?.map(({ content, pinned }) => [content, pinned]),
    expected: [["text 2", true]],
  },
  {
    promise: "MESSAGE_PIN of a message that the page does not have leaves the list to be read",
    after: (state) =>
      applied(state, "MESSAGE_PIN", {
        message_id: "old",
        channel_id: "channel",
        pinned_by: "owner",
        pinned_at: "2026-01-03T00:00:00.000Z",
      }),
    part: ({ pins }) => pins,
    expected: {},
  },
  {
    promise: "a pin that is edited, and one that is deleted, are so in the list",
    before: { ...opened, pins: { channel: [message(1), message(2)] } },
    after: (state) =>
      applied(applied(state, "MESSAGE_UPDATE", asEvent(message(1, { content: "new" }))), "MESSAGE_DELETE", {
        id: message(2).id,
        channel_id: "channel",
      }),
    part: ({ pins }) => pins.channel?.map(({ content }) => content),
    expected: ["new"],
  },
];

test.each(cases)("$promise", ({ before = opened, after, part, expected }) => {
  const once = after(before);
  expect(part(once)).toEqual(expected);
  expect(part(after(once))).toEqual(expected);
});

test("a message that has just been sent has no files to be asked for, and gets those that follow", () => {
  const sent = applied(opened, "MESSAGE_CREATE", asEvent(message(3)));
  expect(sent.attachments[message(3).id]).toEqual([]);
  const followed = applied(sent, "ATTACHMENT_CREATE", {
    channel_id: "channel",
    message_id: message(3).id,
    attachments: [file("a")],
  });
  expect(followed.attachments[message(3).id]).toEqual([file("a")]);
});

test("authors are named by what messages have beside them, in lists and events, and renamed by MEMBER_UPDATE", () => {
  const zoe = { id: "zoe", username: "zoe", nickname: "Z", avatar_url: "/zoe.png" };
  const sent = applied(opened, "MESSAGE_CREATE", {
    ...message(3, { author_id: "zoe" }),
    server_id: "server",
    author: zoe,
  });
  expect([sent.authors.server?.zoe?.nickname, sent.profiles.zoe?.avatar_url]).toEqual(["Z", "/zoe.png"]);
  expect(sent.histories.channel?.messages.at(-1)).toEqual(message(3, { author_id: "zoe" }));
  const listed = withListedDetails(opened, [{ ...message(1), server_id: "server", author: zoe }]);
  expect(listed.authors).toEqual(sent.authors);
  const renamed = applied(sent, "MEMBER_UPDATE", {
    server_id: "server",
    member: { ...member("zoe"), nickname: "Zed" },
  });
  expect(renamed.authors.server?.zoe?.nickname).toBe("Zed");
});
