import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEvent } from "./cache-events.js";
import { emptyState } from "./cache-state.js";
import type { GatewayEvent } from "./gateway-options.js";
import type { NewMessage, PublicProfile } from "./generated/index.js";

// After any sequence of events the cache's counts equal those of a READY at that moment (docs/protocol/messages.md#7.8), among
// the messages that arrived since.

const me = "me";
const created_at = "2026-01-01T00:00:00.000Z";
const profileOf = (id: string): PublicProfile => ({
  id,
  username: id,
  avatar_url: null,
  bio: null,
  pronouns: null,
  status: "offline",
  custom_status: null,
  activity: null,
  created_at,
});
const ofDirect = { mention_everyone: false, mention_user_ids: [] };
type Names = Pick<NewMessage, "mention_everyone" | "mention_user_ids">;

function messageOf(number: number, channel_id: string, author_id: string, names: Names): NewMessage {
  return {
    id: `m${number}`,
    channel_id,
    author_id,
    content: "text",
    reply_to: null,
    thread_id: null,
    thread_reply_count: 0,
    edited_at: null,
    deleted: false,
    created_at: new Date(Date.UTC(2026, 0, 2) + number * 1_000).toISOString(),
    pinned: false,
    pinned_by: null,
    pinned_at: null,
    poll: null,
    event: null,
    server_id: "server",
    author: { id: author_id, username: author_id, nickname: null, avatar_url: null },
    ...names,
  };
}

const places = ["channel", "direct"] as const;
const place = fc.constantFrom(...places);
const names = fc.constantFrom<Names>(
  ofDirect,
  { mention_everyone: true, mention_user_ids: [] },
  { mention_everyone: false, mention_user_ids: [me] },
  { mention_everyone: false, mention_user_ids: ["eve"] },
);
const author = fc.constantFrom("bob", "eve", me);
const nth = fc.nat(30);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant("post" as const), place, author, names }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("delete" as const), nth, isAtOnce: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("edit" as const), nth, names }) },
  fc.record({ does: fc.constant("block" as const), who: fc.constantFrom("bob", "eve") }),
  { weight: 3, arbitrary: fc.record({ does: fc.constant("read" as const), place, nth }) },
);

test("the counts of the cache are those of READY after any sequence of events", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: "max" }), (steps) => {
      const state = emptyState(10);
      state.user = { ...profileOf(me), email: null, is_admin: false };
      let messages: NewMessage[] = [];
      const marks = { channel: "", direct: "" };
      const blocked = new Set<string>();
      let sent = 0;
      const hear = (event: GatewayEvent) => applyEvent(state, event);
      const counts = (id: (typeof places)[number]) => {
        const unread = messages.filter(
          (one) => one.channel_id === id && one.author_id !== me && one.created_at > marks[id],
        );
        const mentions = unread.filter(
          (one) => !blocked.has(one.author_id ?? "") && (one.mention_everyone || one.mention_user_ids.includes(me)),
        );
        return { unread_count: unread.length, mention_count: mentions.length };
      };
      const act = {
        post(one: { place: (typeof places)[number]; author: string; names: Names }) {
          sent += 1;
          const message = messageOf(sent, one.place, one.author, one.place === "direct" ? ofDirect : one.names);
          messages.push(message);
          const { id, channel_id, author_id, content, created_at, edited_at, author } = message;
          const direct = { id, channel_id, author_id, content, created_at, edited_at, author };
          if (one.place === "channel") hear({ position: null, name: "MESSAGE_CREATE", data: message });
          else hear({ position: null, name: "DM_MESSAGE_CREATE", data: direct });
        },
        delete(one: { nth: number; isAtOnce: boolean }) {
          const gone = messages[one.nth % Math.max(1, messages.length)];
          if (gone === undefined) return;
          messages = messages.filter((other) => other !== gone);
          const { id, channel_id } = gone;
          if (channel_id === "direct") hear({ position: null, name: "DM_MESSAGE_DELETE", data: { id, channel_id } });
          else if (one.isAtOnce)
            hear({ position: null, name: "MESSAGE_DELETE_BULK", data: { channel_id, ids: [id, "another"] } });
          else hear({ position: null, name: "MESSAGE_DELETE", data: { id, channel_id } });
        },
        edit(one: { nth: number; names: Names }) {
          const old = messages[one.nth % Math.max(1, messages.length)];
          if (old === undefined || old.channel_id === "direct") return;
          const edited = { ...old, ...one.names };
          messages = messages.map((other) => (other === old ? edited : other));
          hear({ position: null, name: "MESSAGE_UPDATE", data: edited });
        },
        block({ who }: { who: string }) {
          const isBlocked = !blocked.has(who);
          if (isBlocked) blocked.add(who);
          else blocked.delete(who);
          hear({ position: null, name: "BLOCK_UPDATE", data: { user: profileOf(who), blocked: isBlocked } });
        },
        read(one: { place: (typeof places)[number]; nth: number }) {
          const upTo = messages.filter(({ channel_id }) => channel_id === one.place).at(-1 - (one.nth % 4))?.created_at;
          if (upTo === undefined) return;
          marks[one.place] = upTo;
          const data = { channel_id: one.place, last_read_at: upTo, ...counts(one.place) };
          hear({ position: null, name: "READ_STATE_UPDATE", data });
        },
      };
      for (const one of steps) {
        if (one.does === "post") act.post(one);
        else if (one.does === "delete") act.delete(one);
        else if (one.does === "edit") act.edit(one);
        else if (one.does === "block") act.block(one);
        else act.read(one);
        for (const id of places) expect([one, id, state.marks.get(id)]).toMatchObject([one, id, counts(id)]);
      }
    }),
    { seed: 20_260, numRuns: 300 },
  );
});

test("counts are never below zero, also when the server has left a message out whose deletion comes later", () => {
  const state = emptyState(10);
  state.user = { ...profileOf(me), email: null, is_admin: false };
  const message = messageOf(1, "channel", "bob", { mention_everyone: true, mention_user_ids: [] });
  applyEvent(state, { position: null, name: "MESSAGE_CREATE", data: message });
  const read = { channel_id: "channel", last_read_at: created_at, unread_count: 0, mention_count: 0 };
  applyEvent(state, { position: null, name: "READ_STATE_UPDATE", data: read });
  applyEvent(state, { position: null, name: "MESSAGE_DELETE", data: { id: message.id, channel_id: "channel" } });
  expect(state.marks.get("channel")).toMatchObject({ unread_count: 0, mention_count: 0 });
});
