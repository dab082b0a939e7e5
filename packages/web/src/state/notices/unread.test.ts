import type { AnyDmChannel, Message, PublicProfile, Ready } from "@parley/client";
import fc from "fast-check";
import { expect, test } from "vitest";
import { applied, asEvent, channel, me, message, opened, ready } from "../app/sample-state.js";
import { placeRead } from "../community/user-events.js";
import type { AppState } from "../store/app-state.js";
import { withEntry } from "../store/app-store.js";
import { windowOf } from "../store/history.js";
import { onReady } from "../store/ready.js";
import { hasUnread, type Level } from "./heard.js";
import { historyOf, replyCounted } from "./unread.js";

// After any sequence of events the page's counts equal those of a READY at that moment.

/** A channel, a conversation, and a thread of the channel that the user follows. */
const places = ["channel", "direct", "thread"] as const;
type Place = (typeof places)[number];
const direct: AnyDmChannel = {
  id: "direct",
  recipient: { ...me, id: "bob", email: null, is_admin: false },
  created_at: me.created_at,
  last_message_at: null,
};
const placeOf = ({ thread_id, channel_id }: Message): string => thread_id ?? channel_id;
const inPlace = (place: Place) =>
  place === "thread" ? { channel_id: "channel", thread_id: place } : { channel_id: place };
const profileOf = (id: string): PublicProfile => ({
  id,
  username: id,
  avatar_url: null,
  bio: null,
  pronouns: null,
  status: "offline",
  custom_status: null,
  activity: null,
  created_at: me.created_at,
});

/** The data of the server, and a page that gets its events. */
class Scene {
  messages: Message[] = [];
  readonly marks: Record<Place, string> = { channel: "", direct: "", thread: "" };
  readonly blocked = new Set<string>();
  page: AppState = {
    ...opened,
    ...{ histories: {}, unread: {}, mentions: {}, blocks: {} },
    notifications: {
      ...{ default: { level: "mentions" }, servers: {}, channels: {}, threads: { thread: { level: "mentions" } } },
      ...{ quiet: null, timezone: "UTC", push: { enabled: true, content: true }, mail: "off" },
    },
  };
  #sent = 0;
  /** Messages from before READY are known to the page only with the history around them. */
  #arrived = new Set<string>();

  in = (place: Place) => this.messages.filter((one) => placeOf(one) === place);

  /** The counts of READY (docs/protocol/messages.md#7.8). */
  counts(place: Place) {
    const unread = this.in(place).filter((one) => one.author_id !== me.id && one.created_at > this.marks[place]);
    const mentions = unread.filter(
      (one) => !this.blocked.has(one.author_id ?? "") && (one.mention_everyone || one.mention_user_ids.includes(me.id)),
    );
    return { unread: unread.length, mentions: mentions.length };
  }

  shown = (place: Place) => ({
    unread: this.page.unread[place] ?? 0,
    mentions: this.page.mentions[place] ?? 0,
  });

  post(place: Place, author_id: string, names: Pick<Message, "mention_everyone" | "mention_user_ids">, isHeard = true) {
    this.#sent += 1;
    const created_at = new Date(Date.UTC(2026, 0, 2) + this.#sent * 1_000).toISOString();
    const inDirect = place === "direct" ? { mention_everyone: false, mention_user_ids: [] } : names;
    const sent = message(this.#sent, { ...inPlace(place), author_id, created_at, ...inDirect });
    this.messages.push(sent);
    if (!isHeard) return;
    this.#arrived.add(sent.id);
    if (place === "channel") this.#hear("MESSAGE_CREATE", asEvent(sent));
    else if (place === "thread") this.#hear("THREAD_MESSAGE_CREATE", asEvent(sent));
    else this.#hear("DM_MESSAGE_CREATE", { ...directOf(sent), author: asEvent(sent).author });
  }

  delete(doomed: readonly Message[], isAtOnce: boolean) {
    this.messages = this.messages.filter((one) => !doomed.includes(one));
    for (const place of ["channel", "direct"]) {
      const ids = doomed.filter(({ channel_id }) => channel_id === place).map(({ id }) => id);
      if (isAtOnce && place === "channel") this.#hear("MESSAGE_DELETE_BULK", { channel_id: place, ids });
      else
        for (const id of ids)
          this.#hear(place === "channel" ? "MESSAGE_DELETE" : "DM_MESSAGE_DELETE", { id, channel_id: place });
    }
  }

  edit(old: Message, names: Pick<Message, "mention_everyone" | "mention_user_ids">) {
    if (old.channel_id === "direct") return;
    const edited = { ...old, ...names, content: "edited" };
    this.messages = this.messages.map((one) => (one === old ? edited : one));
    this.#hear("MESSAGE_UPDATE", asEvent(edited));
  }

  block(id: string) {
    const blocked = !this.blocked.has(id);
    if (blocked) this.blocked.add(id);
    else this.blocked.delete(id);
    this.#hear("BLOCK_UPDATE", { user: profileOf(id), blocked });
  }

  /** Read here, up to the newest message. */
  read(place: Place) {
    this.marks[place] = this.in(place).at(-1)?.created_at ?? this.marks[place];
    this.page = placeRead(this.page, place);
    this.#hearMark(place);
  }

  /** Read elsewhere up to a message, or marked as unread behind it. */
  readElsewhere(place: Place, nth: number) {
    const upTo = this.in(place).at(-1 - (nth % 5))?.created_at;
    if (upTo === undefined) return;
    this.marks[place] = upTo;
    this.#hearMark(place);
  }

  #hearMark(place: Place) {
    const { unread, mentions } = this.counts(place);
    const counts = { unread_count: unread, mention_count: mentions };
    this.#hear("READ_STATE_UPDATE", { ...inPlace(place), last_read_at: this.marks[place], ...counts });
  }

  open(place: Place) {
    const history = windowOf(this.in(place).toReversed(), { hasOlder: false, hasNewer: false });
    this.page = withEntry(this.page, place === "thread" ? "threads" : "histories", place, history);
  }

  connect() {
    const all = places.map((id) => ({ id, ...this.counts(id) }));
    const counted = all.filter(({ id }) => id !== "thread");
    const inThreads = all.filter(({ id, unread }) => id === "thread" && unread > 0);
    const answer: Ready = {
      ...ready,
      dm_channels: [direct],
      unread_counts: counted
        .map(({ id, unread }) => ({ channel_id: id, unread_count: unread }))
        .filter((one) => one.unread_count > 0),
      mention_counts: counted
        .map(({ id, mentions }) => ({ channel_id: id, count: mentions }))
        .filter((one) => one.count > 0),
      thread_unreads: inThreads.map(({ id, unread, mentions }) => ({
        ...{ thread_id: id, channel_id: "channel", unread_count: unread, mention_count: mentions },
      })),
    };
    this.page = { ...onReady(this.page, answer), channels: { channel } };
    this.#arrived = new Set();
  }

  /** The messages whose changes the page can count: that arrived, or that stand in a history without gaps. */
  known(): Message[] {
    return this.messages.filter((message) => {
      const { id } = message;
      const history = historyOf(this.page, placeOf(message));
      return this.#arrived.has(id) || (history?.isStale === false && history.messages.some((one) => one.id === id));
    });
  }

  /** Whether the page knows all that is unread. */
  knowsAll = () =>
    places.every((place) =>
      this.in(place).every((one) => one.created_at <= this.marks[place] || this.known().includes(one)),
    );

  #hear(...[name, payload]: Parameters<typeof applied> extends [unknown, ...infer Event] ? Event : never) {
    this.page = applied(this.page, name, payload);
  }
}

const directOf = ({ id, channel_id, author_id, content, created_at, edited_at }: Message) => ({
  id,
  channel_id,
  author_id,
  content,
  created_at,
  edited_at,
});

const names = fc.constantFrom<Pick<Message, "mention_everyone" | "mention_user_ids">>(
  { mention_everyone: false, mention_user_ids: [] },
  { mention_everyone: true, mention_user_ids: [] },
  { mention_everyone: false, mention_user_ids: [me.id] },
  { mention_everyone: false, mention_user_ids: ["eve", me.id] },
  { mention_everyone: false, mention_user_ids: ["eve"] },
);
const place = fc.constantFrom(...places);
const author = fc.constantFrom("bob", "eve", "bob", me.id);
const nth = fc.nat(50);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant("post" as const), place, author, names }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("delete" as const),
      nth,
      count: fc.integer({ min: 1, max: 3 }),
      isAtOnce: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("edit" as const), nth, names }) },
  fc.record({ does: fc.constant("block" as const), who: fc.constantFrom("bob", "eve") }),
  fc.record({ does: fc.constant("read" as const), place }),
  { weight: 3, arbitrary: fc.record({ does: fc.constant("readElsewhere" as const), place, nth }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("open" as const), place }) },
  fc.record({ does: fc.constant("connect" as const) }),
);

test("the counts of the open page are those of READY after any sequence of events", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ place, author, names }), { maxLength: 6 }),
      fc.array(step, { maxLength: 40, size: "max" }),
      (before, steps) => {
        const scene = new Scene();
        for (const one of before) scene.post(one.place, one.author, one.names, false);
        scene.connect();
        for (const one of steps) {
          const known = scene.known();
          switch (one.does) {
            case "post":
              scene.post(one.place, one.author, one.names);
              break;
            case "delete":
              if (known.length > 0) {
                const from = one.nth % known.length;
                scene.delete(known.slice(from, from + one.count), one.isAtOnce);
              }
              break;
            case "edit": {
              const edited = known[one.nth % Math.max(1, known.length)];
              if (edited !== undefined) scene.edit(edited, one.names);
              break;
            }
            case "block":
              // Whose messages of before READY are unread, the page learns from the histories.
              if (scene.knowsAll()) scene.block(one.who);
              break;
            case "read":
              scene.read(one.place);
              break;
            case "readElsewhere":
              scene.readElsewhere(one.place, one.nth);
              break;
            case "open":
              scene.open(one.place);
              break;
            default:
              scene.connect();
          }
          for (const id of places) expect([one, id, scene.shown(id)]).toEqual([one, id, scene.counts(id)]);
        }
      },
    ),
    { seed: 20_260, numRuns: 300 },
  );
});

test.each([
  ["a mention that is deleted", "MESSAGE_DELETE"],
  ["mentions that are deleted at once", "MESSAGE_DELETE_BULK"],
])("%s takes the badge with it in a channel that was never opened", (_what, name) => {
  const scene = new Scene();
  scene.connect();
  scene.post("channel", "bob", { mention_everyone: false, mention_user_ids: [me.id] });
  expect(scene.shown("channel")).toEqual({ unread: 1, mentions: 1 });
  scene.delete(scene.messages, name === "MESSAGE_DELETE_BULK");
  expect(scene.shown("channel")).toEqual({ unread: 0, mentions: 0 });
});

test.each<[string, Partial<Message>, Level | undefined, number]>([
  ["of another user, in a thread that nobody asked for", {}, undefined, 0],
  ["of another user, in a thread that the user follows", {}, "all", 1],
  ["of another user, in a thread that the user wants nothing of", { mention_user_ids: [me.id] }, "nothing", 0],
  ["that names the user, who follows the thread by it", { mention_user_ids: [me.id] }, undefined, 1],
  ["of the user", { author_id: me.id }, "all", 0],
])("a reply %s", (_what, changes, level, expected) => {
  const scene = new Scene();
  scene.connect();
  const notifications = scene.page.notifications;
  if (notifications === null) throw new Error("There are no settings.");
  const threads: typeof notifications.threads = level === undefined ? {} : { thread: { level } };
  const page = { ...scene.page, notifications: { ...notifications, threads } };
  const reply = message(9, {
    ...inPlace("thread"),
    ...changes,
    mention_user_ids: [...(changes.mention_user_ids ?? [])],
  });
  const next = replyCounted(page, reply);
  expect(next.unread.thread ?? 0).toBe(expected);
  expect(hasUnread(next, "channel")).toBe(expected === 1);
});

test("the first reply to a message of the user counts, as they follow its thread from then on", () => {
  const scene = new Scene();
  const root = message(1, { id: "thread", author_id: me.id });
  const page = { ...scene.page, histories: { channel: windowOf([root], { hasOlder: false, hasNewer: false }) } };
  const threads = {};
  const notifications = page.notifications === null ? null : { ...page.notifications, threads };
  expect(replyCounted({ ...page, notifications }, message(2, inPlace("thread"))).unread).toEqual({ thread: 1 });
});
