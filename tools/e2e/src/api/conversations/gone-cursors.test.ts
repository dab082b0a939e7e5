import { randomUUID } from "node:crypto";
import { DmChannel, GroupChannel } from "@parley/contracts";
import {
  createChannel,
  createClient,
  createServerWithMembers,
  joinServer,
  postMessage,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";

let stack: SharedStack;
let database: pg.Client;

beforeAll(async () => {
  stack = await sharedStack();
  database = new pg.Client(stack.databaseUrl);
  await database.connect();
});
afterAll(() => database?.end());

const Ids = z.array(z.object({ id: z.string() })).transform((rows) => rows.map(({ id }) => id));
const Id = z.object({ id: z.string() });
const Found = z.object({ results: Ids, next_cursor: z.string().nullable() });

/** Removes a row as the age of messages or the length of a log does. */
const forget = (table: string, id: string) => database.query(`DELETE FROM ${table} WHERE id = $1`, [id]);

/** A server and a conversation of users without messages. */
async function place() {
  const { owner, members, server, channel } = await createServerWithMembers(createClient(stack.edgeUrl), 3);
  const [member = owner, other = owner] = members;
  const read = async (path: string) => (await owner.get(path)).expect(200, Ids);
  const direct = (await owner.post("/dm-channels", { user_id: member.user.id })).expect(201, DmChannel).id;
  const write = async (path: string, contents: readonly string[], by = owner) => {
    const ids: string[] = [];
    for (const content of contents) ids.push((await by.post(path, { content })).expect(201, Id).id);
    return ids;
  };
  return { owner, members, member, other, server, channel, direct, read, write };
}
type Place = Awaited<ReturnType<typeof place>>;

const words = ["one", "two", "three", "four", "five"];
const newestFirst = (ids: readonly string[]) => ids.toReversed();

interface List {
  name: string;
  /**
   * Makes a list of five. @returns its ids in order, the path of a page after one of them, and a function that removes
   * one
   */
  make: (
    place: Place,
  ) => Promise<{ ids: string[]; after: (id: string) => string; remove: (id: string) => Promise<unknown> }>;
}

const lists: readonly List[] = [
  {
    name: "the history of a channel, backward, of a message that was deleted",
    async make({ owner, channel, write }) {
      const path = `/channels/${channel.id}/messages`;
      const ids = newestFirst(await write(path, words));
      return { ids, after: (id) => `${path}?limit=2&before=${id}`, remove: (id) => owner.delete(`/messages/${id}`) };
    },
  },
  {
    name: "the history of a channel, backward, of a message that was too old",
    async make({ channel, write }) {
      const path = `/channels/${channel.id}/messages`;
      const ids = newestFirst(await write(path, words));
      return { ids, after: (id) => `${path}?limit=2&before=${id}`, remove: (id) => forget("messages", id) };
    },
  },
  {
    name: "the history of direct messages, backward, of a message that was deleted",
    async make({ owner, direct, write }) {
      const path = `/dm-channels/${direct}/messages`;
      const ids = newestFirst(await write(path, words));
      return { ids, after: (id) => `${path}?limit=2&before=${id}`, remove: (id) => owner.delete(`/dm-messages/${id}`) };
    },
  },
  {
    name: "the history of direct messages, backward, of a message that was too old",
    async make({ direct, write }) {
      const path = `/dm-channels/${direct}/messages`;
      const ids = newestFirst(await write(path, words));
      return { ids, after: (id) => `${path}?limit=2&before=${id}`, remove: (id) => forget("dm_messages", id) };
    },
  },
  ...["after", "before"].flatMap((parameter): List[] =>
    (["deleted", "too old"] as const).map((why) => ({
      name: `a thread by ${parameter}, of a reply that was ${why}`,
      async make({ owner, channel, write }) {
        const root = await postMessage(owner, channel.id, "root");
        const path = `/channels/${channel.id}/messages/${root.id}/thread`;
        const ids = await write(path, words);
        const remove = (id: string) => (why === "deleted" ? owner.delete(`/messages/${id}`) : forget("messages", id));
        return { ids, after: (id) => `${path}?limit=2&${parameter}=${id}`, remove };
      },
    })),
  ),
  {
    name: "conversations without messages, of a group that was left",
    async make({ owner, member, other }) {
      const ids: string[] = [];
      for (const name of words) {
        const body = { user_ids: [member.user.id, other.user.id], name };
        ids.unshift((await owner.post("/dm-channels", body)).expect(201, GroupChannel).id);
      }
      return {
        ids,
        after: (id) => `/dm-channels?groups=true&limit=2&before=${id}`,
        remove: (id) => owner.delete(`/dm-channels/${id}/recipients/@me`),
      };
    },
  },
  {
    name: "the audit log, of an entry that was trimmed",
    async make({ owner, server, read }) {
      for (const name of words) await createChannel(owner, server.id, { name });
      const path = `/servers/${server.id}/audit-logs?action=channel_create`;
      const ids = (await read(path)).slice(0, words.length);
      return { ids, after: (id) => `${path}&limit=2&before=${id}`, remove: (id) => forget("audit_log_entries", id) };
    },
  },
  {
    name: "what was done about a member, of a note that was deleted",
    async make({ owner, server, member }) {
      const path = `/servers/${server.id}/members/${member.user.id}/moderation`;
      const ids: string[] = [];
      for (const text of words) ids.unshift((await owner.post(`${path}/notes`, { text })).expect(201, Id).id);
      return {
        ids,
        after: (id) => `${path}?limit=2&before=${id}`,
        remove: (id) => owner.delete(`${path}/notes/${id}`),
      };
    },
  },
  {
    name: "reports, of one that is gone",
    async make({ member, other, channel, server, write }) {
      const ids: string[] = [];
      for (const id of await write(`/channels/${channel.id}/messages`, words, other)) {
        const body = { category: "spam", reason: "x" };
        ids.unshift((await member.post(`/messages/${id}/report`, body)).expect(201, Id).id);
      }
      return {
        ids,
        after: (id) => `/servers/${server.id}/reports?limit=2&before=${id}`,
        remove: (id) => forget("reports", id),
      };
    },
  },
];

test.each(lists)("a page goes on where the last row of the page before is gone: $name", async ({ make }) => {
  const here = await place();
  const { ids, after, remove } = await make(here);
  expect(await here.read(after(ids[0] ?? ""))).toEqual(ids.slice(1, 3));
  await remove(ids[1] ?? "");
  expect(await here.read(after(ids[1] ?? ""))).toEqual(ids.slice(2, 4));
});

test.each([
  ["a channel", "deleted", false],
  ["a channel", "too old", false],
  ["direct messages", "deleted", true],
  ["direct messages", "too old", true],
] as const)(
  "what %s have after a message that was %s is found, so that a client which comes back misses nothing",
  async (_what, why, isDirect) => {
    const { owner, channel, direct, write, read } = await place();
    const path = isDirect ? `/dm-channels/${direct}/messages` : `/channels/${channel.id}/messages`;
    const [held = "", ...later] = await write(path, words);
    if (why === "deleted") await owner.delete(`/${isDirect ? "dm-messages" : "messages"}/${held}`);
    else await forget(isDirect ? "dm_messages" : "messages", held);
    expect(await read(`${path}?after=${held}`)).toEqual(newestFirst(later));
    expect(await read(`${path}?after=${randomUUID()}`)).toEqual([]);
  },
);

/** Follows the `Link` headers from page to page; `between` runs before each further page. */
async function walk(as: UserClient, path: string, between: (page: string[]) => Promise<void>): Promise<string[]> {
  const all: string[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer: Awaited<ReturnType<UserClient["get"]>> = await as.get(next);
    const page = answer.expect(200, z.array(z.object({ id: z.string() }).or(z.object({ user_id: z.string() }))));
    const ids = page.map((row) => ("id" in row ? row.id : row.user_id));
    all.push(...ids);
    next = /<([^>]+)>;\s*rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
    if (next !== undefined) await between(ids);
  }
  return all;
}

test("who reacted is listed to its end while people take their reactions back, and never ends early in silence", async () => {
  const { owner, members, channel, server } = await place();
  const late = await createClient(stack.edgeUrl).register();
  await joinServer(late, server.id);
  const people = [owner, ...members, late];
  const { id } = await postMessage(owner, channel.id, "vote");
  const path = `/channels/${channel.id}/messages/${id}/reactions/${encodeURIComponent("👍")}`;
  for (const person of people) expect((await person.put(path)).status).toBe(204);
  const takeBack = async (ids: readonly string[]) => {
    await people.find(({ user }) => user.id === ids.at(-1))?.delete(path);
  };
  expect(await walk(owner, `${path}?limit=1`, takeBack)).toEqual(people.map(({ user }) => user.id));
  const gone = people[0]?.user.id;
  expect(await owner.get(`${path}?after=${gone}`)).toMatchObject({ status: 400, body: { error: "Invalid after" } });
});

test("members are listed to the end while they leave", async () => {
  const { owner, members, server } = await place();
  const leave = async (ids: readonly string[]) => {
    await members.find(({ user }) => user.id === ids.at(-1))?.delete(`/servers/${server.id}/leave`);
  };
  const all = [owner, ...members].map(({ user }) => user.id);
  expect(await walk(owner, `/servers/${server.id}/members?limit=1`, leave)).toEqual(all);
});

test.each([
  ["a channel", "was edited and matches no more", false],
  ["a channel", "was too old", false],
  ["direct messages", "was deleted", true],
  ["direct messages", "was edited and matches no more", true],
] as const)(
  "a search in %s says that its place is lost when the message %s, and goes on after a deleted one",
  async (_what, why, isDirect) => {
    const { owner, server, channel, direct, write } = await place();
    const messages = isDirect ? `/dm-channels/${direct}/messages` : `/channels/${channel.id}/messages`;
    const all = await write(
      messages,
      words.map((word) => `gambit ${word}`),
    );
    const path = `${isDirect ? `/dm-channels/${direct}` : `/servers/${server.id}`}/search?q=gambit&limit=1`;
    const find = async (query = "") => (await owner.get(`${path}${query}`)).expect(200, Found);
    const first = await find();
    expect(first.results).toEqual(all.slice(-1));
    const cursor = `&before=${first.next_cursor}`;
    if (!isDirect) {
      expect((await owner.delete(`/messages/${first.next_cursor}`)).status).toBe(204);
      expect((await find(cursor)).results).toEqual(all.slice(-2, -1));
    }
    const next = isDirect ? first : await find(cursor);
    const [lost = ""] = next.results;
    const one = `/${isDirect ? "dm-messages" : "messages"}/${lost}`;
    if (why === "was edited and matches no more")
      expect((await owner.patch(one, { content: "nothing" })).status).toBe(200);
    else if (why === "was deleted") expect((await owner.delete(one)).status).toBe(204);
    else await forget("messages", lost);
    expect(await owner.get(`${path}&before=${lost}`)).toMatchObject({ status: 400, body: { error: "Invalid before" } });
    expect(await find(`&before=${randomUUID()}`)).toEqual({ results: [], next_cursor: null });
  },
);
