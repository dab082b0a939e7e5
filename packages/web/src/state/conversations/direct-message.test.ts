import { expect, test } from "vitest";
import { applied, message, opened } from "../app/sample-state.js";
import type { AppState } from "../store/app-state.js";
import { windowOf } from "../store/history.js";
import { fromSentDirectMessage } from "./direct-message.js";

// The events of docs/protocol/conversations.md#28.1, in a conversation with three messages; the other's last two are unread.

const author = { id: "bob", username: "bob", nickname: null, avatar_url: null };
const sent = (number: number, changes = {}) => message(number, { channel_id: "dm", author_id: "bob", ...changes });
const place = (number: number) => ({ channel_id: "dm", message_id: sent(number).id });
const conversation: AppState = {
  ...opened,
  unread: { dm: 2 },
  histories: { dm: windowOf([sent(3), sent(2), sent(1)], { hasOlder: false, hasNewer: false }) },
  reactions: { [sent(3).id]: [], [sent(2).id]: [] },
  attachments: { [sent(3).id]: [] },
};
const contents = (state: AppState) => state.histories.dm?.messages.map(({ content }) => content);

test("an edited direct message shows its new text, and the message that it replies to", () => {
  const { id, channel_id, author_id, created_at } = sent(3);
  const edited = { id, channel_id, author_id, content: "edited", reply_to: "m1", edited_at: created_at, created_at };
  const state = applied(conversation, "DM_MESSAGE_UPDATE", { ...edited, author });
  expect(state.histories.dm?.messages[2]).toEqual(sent(3, { ...edited }));
});

test.each([
  ["an unread one of the other", 2, 1],
  ["one that was read", 1, 2],
])("a deleted direct message is gone and counted no longer: %s", (_, number, unread) => {
  const deleted = { id: sent(number).id, channel_id: "dm" };
  const state = applied(conversation, "DM_MESSAGE_DELETE", deleted);
  expect(contents(state)).not.toContain(sent(number).content);
  expect(state.unread.dm).toBe(unread);
  expect(applied(state, "DM_MESSAGE_DELETE", deleted).unread.dm).toBe(unread);
});

test("reactions and files of direct messages are added where they are shown", () => {
  const reaction = { ...place(3), user_id: "bob", emoji: "x" };
  const reacted = applied(conversation, "DM_REACTION_ADD", reaction);
  expect(reacted.reactions[sent(3).id]).toEqual([{ emoji: "x", count: 1, me: false }]);
  expect(applied(reacted, "DM_REACTION_REMOVE", reaction).reactions[sent(3).id]).toEqual([]);
});

test("a deleted direct message in the answer to a repeated request is not shown", () => {
  const { id, channel_id, author_id, created_at } = sent(4);
  const answer = { id, channel_id, author_id, content: "", edited_at: null, created_at, nonce: "n" };
  expect(fromSentDirectMessage(answer)).toMatchObject({ deleted: true, nonce: "n" });
  expect(fromSentDirectMessage({ ...answer, content: "hello" }).deleted).toBe(false);
});
