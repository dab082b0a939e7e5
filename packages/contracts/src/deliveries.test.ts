import { expect, test } from "vitest";
import { deliveryOfEvent } from "./deliveries.js";
import { createEvent } from "./outgoing-event.js";

const server_id = "0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60";
const channel_id = "0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f61";
/** A text that quotes the keys behind a message. */
const hostile = '","server_id":"x","author":{"nonce":"x"},"nonce":"x"}';
const message = {
  id: channel_id,
  channel_id,
  author_id: null,
  content: hostile,
  reply_to: null,
  mention_user_ids: [],
  mention_everyone: false,
  thread_id: null,
  thread_reply_count: 0,
  edited_at: null,
  deleted: false,
  created_at: "2026-01-02T03:04:05.678Z",
  pinned: false,
  pinned_by: null,
  pinned_at: null,
  poll: null,
  event: null,
};
const author = { id: server_id, username: "ann", nickname: hostile, avatar_url: hostile };
const target = { server_id, channel_id };
const dataOf = (body: string | undefined) =>
  body?.slice(`{"event":"message.created","server_id":"${server_id}","data":`.length, -1);

test.each([
  ["an author", { author }],
  ["no author any more", { author: null }],
  ["an author and a nonce", { author, nonce: hostile }],
])("a delivery has the message of the event and nothing behind it: with %s", (_, more) => {
  const { body } = createEvent("MESSAGE_CREATE", target, { ...message, server_id, ...more });
  expect(dataOf(deliveryOfEvent("MESSAGE_CREATE", server_id, body)?.body)).toBe(JSON.stringify(message));
});

test("a delivery of an event that the version before stored has the message alone, too", () => {
  for (const behind of ["", `,"nonce":${JSON.stringify(hostile)}`]) {
    const payload = `${JSON.stringify(message).slice(0, -1)}${behind}}`;
    const frame = `{"op":"DISPATCH","t":"MESSAGE_CREATE","d":${payload}}`;
    expect(dataOf(deliveryOfEvent("MESSAGE_CREATE", server_id, frame)?.body)).toBe(JSON.stringify(message));
  }
});

test("a delivery of a deletion names the deleted object", () => {
  const deleted = { id: channel_id, channel_id };
  const { body } = createEvent("MESSAGE_DELETE", target, deleted);
  expect(dataOf(deliveryOfEvent("MESSAGE_DELETE", server_id, body)?.body)).toBe(JSON.stringify(deleted));
});
