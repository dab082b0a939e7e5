import { expect, test } from "vitest";
import { message } from "../../../state/sample-state.js";
import { conversationRows } from "./rows.js";

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

test("what is being sent stands under the own name", () => {
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
