import { describe, expect, test } from "vitest";
import { message } from "../../../state/app/sample-state.js";
import { conversationRows, withAppRows } from "./rows.js";

const at = (time: string) => ({ created_at: `2026-01-02T${time}:00.000Z` });

test("messages of one author within some minutes stand under one name", () => {
  const rows = conversationRows(
    [
      message(1, at("10:00")),
      message(2, at("10:01")),
      message(3, { ...at("10:02"), author_id: "bob" }),
      message(4, { ...at("10:03"), author_id: "bob", reply_to: message(1).id }),
      message(5, { ...at("10:30"), author_id: "bob" }),
      message(6, { ...at("10:31"), author_id: "bob" }),
    ],
    [],
    message(6).id,
    "me",
  );
  expect(rows.map(({ isHead }) => isHead)).toEqual([true, false, true, true, true, true]);
  expect(rows.map((row) => row.kind === "message" && row.day !== null)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
  expect(rows.at(-1)).toMatchObject({ isFirstNew: true });
});

test("the rows of messages that stay as they are are the same objects after another message", () => {
  const messages = [message(1), message(2), message(3)];
  const before = conversationRows(messages, [], null, "me");
  const changed = messages.with(1, { ...message(2), pinned: true });
  const after = conversationRows([...changed, message(4)], [], null, "me");
  expect(after.map((row, at) => row === before[at])).toEqual([true, false, true, false]);
  expect(conversationRows(messages, [], message(3).id, "me")[2]).toMatchObject({ isHead: true, isFirstNew: true });
});

test("a message that somebody asked a bot for begins a group, as its line above says so", () => {
  const interaction = { id: "i", user_id: "me", name: "play" };
  const rows = conversationRows([message(1), message(2, { interaction }), message(3)], [], null, "me");
  expect(rows.map(({ isHead }) => isHead)).toEqual([true, true, false]);
});

test("a message that is being sent stands under the own name", () => {
  const pending = {
    nonce: "n",
    channelId: "channel",
    threadId: null,
    content: "x",
    replyTo: null,
    files: [],
    createdAt: "",
    state: "sending" as const,
    attempts: 1,
    error: null,
  };
  const rowsAfter = (authorId: string) =>
    conversationRows([message(1, { author_id: authorId })], [pending, { ...pending, nonce: "o" }], null, "me");
  expect(rowsAfter("bob").map(({ isHead }) => isHead)).toEqual([true, true, false]);
  expect(rowsAfter("me").map(({ isHead }) => isHead)).toEqual([true, false, false]);
});

describe("what only the user sees", () => {
  const whole = { hasOlder: false, hasNewer: false };
  const answer = (id: string) => ({ ...message(0), id, ephemeral: true as const });
  const asked = {
    key: "asked",
    id: null,
    channelId: "channel",
    botUserId: "bot",
    name: "/play",
    pressed: null,
    body: { bot_user_id: "bot", command_id: "play" },
    state: "waiting" as const,
    error: null,
  };
  const rows = conversationRows([message(1), message(3), message(5)], [], null, "me");
  const keys = (...args: Parameters<typeof withAppRows>) => withAppRows(...args).map(({ key }) => key);

  test("answers stand at their time, and what was asked at the end", () => {
    const all = [answer("m00002"), answer("m00006")];
    const expected = ["m00001", "m00002", "m00003", "m00005", "m00006", "asked"];
    expect(keys(rows, whole, all, [asked])).toEqual(expected);
    // The message after an answer has its author's name again.
    expect(withAppRows(rows, whole, all, []).map((row) => "isHead" in row && row.isHead)).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  test("answers outside of the part that is read are left out", () => {
    const all = [answer("m00000"), answer("m00004"), answer("m00009")];
    expect(keys(rows, { hasOlder: true, hasNewer: true }, all, [asked])).toEqual([
      "m00001",
      "m00003",
      "m00004",
      "m00005",
    ]);
  });

  test("an interaction from a press stands with its message", () => {
    const pressed = { ...asked, pressed: { messageId: "m00001", customId: "ok" } };
    expect(keys(rows, whole, [], [pressed])).toEqual(["m00001", "m00003", "m00005"]);
  });
});
