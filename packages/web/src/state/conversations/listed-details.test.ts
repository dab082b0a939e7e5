import { expect, test } from "vitest";
import { message, picture } from "../app/sample-state.js";
import { emptyState } from "../store/app-state.js";
import { messageOf, withListedDetails } from "./listed-details.js";

const heart = { emoji: "♥", count: 2, me: false };
const file = (url: string) => picture("m00001", "file", url);

test("a list brings reactions and attachments, and the messages stay what they are", () => {
  const listed = { ...message(1), reactions: [heart], attachments: [file("/first")] };
  const state = withListedDetails(emptyState, [listed]);
  expect([state.reactions, state.attachments]).toEqual([{ m00001: [heart] }, { m00001: [file("/first")] }]);
  expect(messageOf(listed)).toEqual(message(1));
});

test("reactions are renewed, and files keep the address by which they were loaded", () => {
  const known = withListedDetails(emptyState, [{ ...message(1), reactions: [heart], attachments: [file("/first")] }]);
  const again = withListedDetails(known, [{ ...message(1), reactions: [], attachments: [file("/second")] }]);
  expect([again.reactions.m00001, again.attachments.m00001?.[0]?.url]).toEqual([[], "/first"]);
});

test("reactions that a list leaves out are left to be read alone", () => {
  const crowded = { ...message(1), attachments: [] };
  const state = withListedDetails(emptyState, [crowded]);
  expect([state.reactions, state.attachments]).toEqual([{}, { m00001: [] }]);
});
