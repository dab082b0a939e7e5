import { randomUUID } from "node:crypto";
import { DmChannel, errorBody as error } from "@parley/contracts";
import { createClient, type RestClient, type SharedStack, sharedStack, type UserClient } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

// Most channels are written by SQL: an account may open few new ones in a day, and the list is about those of years.

let stack: SharedStack;
let sql: pg.Client;
let user: UserClient;

beforeAll(async () => {
  stack = await sharedStack();
  sql = new pg.Client({ connectionString: stack.databaseUrl });
  await sql.connect();
});
afterAll(async () => {
  await sql?.end();
});
beforeEach(async () => {
  user = await createClient(stack.edgeUrl).register();
});

/** New accounts; returns their ids. */
async function makeAccounts(count: number): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    "INSERT INTO users (username) SELECT $1 || n FROM generate_series(1, $2::int) AS n RETURNING id",
    [randomUUID().slice(0, 8), count],
  );
  return rows.map(({ id }) => id);
}

/** Channels of the user with new accounts, numbered from 0, with columns that SQL computes for each number `n`. */
async function makeChannels(count: number, columns: { lastMessageAt: string; createdAt?: string; openedBy?: string }) {
  const { lastMessageAt, createdAt = "now()", openedBy = null } = columns;
  const others = await makeAccounts(count);
  const { rows } = await sql.query<{ id: string }>(
    `INSERT INTO dm_channels (user_low, user_high, last_message_at, created_at, opened_by)
      SELECT least($1::uuid, other), greatest($1::uuid, other), ${lastMessageAt}, ${createdAt}, $3
      FROM unnest($2::uuid[]) WITH ORDINALITY AS made (other, position), LATERAL (SELECT position - 1 AS n) AS numbered
      ORDER BY n RETURNING id`,
    [user.user.id, others, openedBy],
  );
  return rows.map(({ id }) => id);
}

const list = async (query = "") => (await user.get(`/dm-channels${query}`)).expect(200, z.array(DmChannel.strict()));

describe("new direct-message channels of an account", () => {
  const open = (client: RestClient, userId: string) => client.post("/dm-channels", { user_id: userId });

  test("new direct-message channels of an account are at most 100 in 24 hours, its bots' included; existing ones are opened all the same", async () => {
    const bot = Object((await user.post("/bots", { name: "b" })).body);
    const asBot = createClient(stack.edgeUrl, { authorization: `Bot ${bot.token}` });
    const others = await makeAccounts(12);
    await makeChannels(50, { lastMessageAt: "NULL", createdAt: "now() - interval '25 hours'", openedBy: user.user.id });
    await makeChannels(96, { lastMessageAt: "NULL", createdAt: "now() - interval '23 hours'", openedBy: user.user.id });
    await makeChannels(50, { lastMessageAt: "NULL" });
    const callers = stack.apis.flatMap(({ url }) => [
      createClient(url, { authorization: `Bearer ${user.accessToken}` }),
      createClient(url, { authorization: `Bot ${bot.token}` }),
    ]);
    const answers = await Promise.all(others.map((id, index) => open(callers[index % callers.length] ?? user, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, ...Array<number>(8).fill(429)]);
    for (const { status, body, headers } of answers) {
      if (status !== 429) continue;
      expect(body).toEqual(error("Too many new conversations"));
      const seconds = Number(headers.get("retry-after"));
      expect(seconds).toBeGreaterThan(3_500);
      expect(seconds).toBeLessThanOrEqual(3_600);
    }
    const opened = answers.findIndex(({ status }) => status === 201);
    const opener = callers[opened % callers.length] ?? user;
    expect((await open(opener, others[opened] ?? "")).status).toBe(200);
    expect((await open(asBot, user.user.id)).status).toBe(429);
    const stranger = await createClient(stack.edgeUrl).register();
    expect((await open(stranger, user.user.id)).status).toBe(201);
    expect((await open(user, stranger.user.id)).status).toBe(200);
    const left = await sql.query<{ count: number }>(
      "SELECT count(*)::integer AS count FROM dm_channels WHERE opened_by = $1 AND created_at > now() - interval '24 hours'",
      [user.user.id],
    );
    expect(left.rows[0]?.count).toBe(100);
  });
});

describe("the list of direct-message channels", () => {
  test("the list of direct-message channels has the newest 200 by their last message, and the rest page by page, never-used ones last", async () => {
    const used = await makeChannels(230, { lastMessageAt: "now() - make_interval(mins => n::int)" });
    const unused = await makeChannels(25, {
      lastMessageAt: "NULL",
      createdAt: "now() + interval '1 day' - make_interval(mins => n::int)",
    });
    const all = [...used, ...unused];
    const first = await list();
    expect(first.map(({ id }) => id)).toEqual(used.slice(0, 200));
    for (const { recipient } of first) expect(recipient.id).not.toBe(user.user.id);
    for (const limit of [7, 25, 200]) {
      const seen: string[] = [];
      for (let cursor = ""; ; ) {
        const page = await list(`?limit=${limit}${cursor}`);
        seen.push(...page.map(({ id }) => id));
        const last = page.at(-1);
        if (last === undefined || page.length < limit) break;
        cursor = `&before=${encodeURIComponent(last.last_message_at ?? last.id)}`;
      }
      expect(seen).toEqual(all);
    }
    expect((await list(`?before=${first.at(-1)?.last_message_at}`)).map(({ id }) => id)).toEqual(all.slice(200));
  });

  test("the list of direct-message channels keeps channels of the same millisecond on one page, so that none is skipped", async () => {
    await makeChannels(3, { lastMessageAt: "timestamptz '2020-01-01 01:00+00'" });
    await makeChannels(3, { lastMessageAt: "timestamptz '2020-01-01 00:00+00'" });
    const first = await list("?limit=1");
    const second = await list(`?limit=1&before=${first[0]?.last_message_at}`);
    expect([first.length, second.length]).toEqual([3, 3]);
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(6);
    expect(await list(`?limit=1&before=${second[0]?.last_message_at}`)).toEqual([]);
  });

  test("a channel that was used while the list was read moves to its top, and the pages behind it stay", async () => {
    const unused = await makeChannels(6, {
      lastMessageAt: "NULL",
      createdAt: "now() - make_interval(mins => n::int)",
    });
    const [, cursor] = await list("?limit=2");
    await user.post(`/dm-channels/${cursor?.id}/messages`, { content: "hi" });
    const rest = await list(`?before=${cursor?.id}`);
    expect(rest.map(({ id }) => id)).toEqual(unused.slice(2));
  });

  test.each([
    ["limit=0", "Limit must be 1-200"],
    ["limit=201", "Limit must be 1-200"],
    ["limit=x", "Limit must be 1-200"],
    ["before=x", "Invalid before"],
    ["before=2026-01-02", "Invalid before"],
    ["before=", "Invalid before"],
  ])("the list of direct-message channels is refused with %s", async (query, text) => {
    const answer = await user.get(`/dm-channels?${query}`);
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });

  test("the list of direct-message channels is empty after a channel of others and one that does not exist", async () => {
    const [other] = await makeChannels(1, { lastMessageAt: "NULL" });
    const stranger = await createClient(stack.edgeUrl).register();
    expect((await stranger.get(`/dm-channels?before=${other}`)).body).toEqual([]);
    expect(await list(`?before=${randomUUID()}`)).toEqual([]);
  });
});
