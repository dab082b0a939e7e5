import { randomUUID } from "node:crypto";
import {
  AutomodWord,
  type Channel,
  ChannelOverride,
  errorBody as error,
  Invite,
  type Role,
  type Server,
} from "@parley/contracts";
import {
  type Answer,
  createChannel,
  createClient,
  createRole,
  createServer,
  joinServer,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

// SQL writes most rows, because the tests are about the request at the cap. Requests go to both apis at once.

let stack: SharedStack;
let sql: pg.Client;
let owner: UserClient;
let server: Server;
let channel: Channel;

beforeAll(async () => {
  stack = await sharedStack();
  sql = new pg.Client({ connectionString: stack.databaseUrl });
  await sql.connect();
});
afterAll(() => sql?.end());
beforeEach(async () => {
  owner = await createClient(stack.edgeUrl).register();
  server = await createServer(owner, { is_public: true });
  channel = await createChannel(owner, server.id);
});

const count = async (from: string, id: string) => {
  const { rows } = await sql.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${from} = $1`, [id]);
  return rows[0]?.count;
};

/** The request, four times on each api at once, distinguished by the numbers 0 to 7. */
function onBoth(caller: UserClient, request: (client: RestClient, number: number) => Promise<Answer>) {
  const clients = stack.apis.map(({ url }) => createClient(url, { authorization: `Bearer ${caller.accessToken}` }));
  return Promise.all(
    Array.from({ length: 4 }, () => clients)
      .flat()
      .map(request),
  );
}

/** The first of them succeeds, whichever it is, and the others are refused. */
function expectOneOf(answers: readonly Answer[], text: string) {
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(answers.length - 1).fill(400)]);
  for (const { status, body } of answers) if (status === 400) expect(body).toEqual(error(text));
}

describe("a server has at most", () => {
  const makeChannel = (client: RestClient) => client.post(`/servers/${server.id}/channels`, { name: "c" });

  test("a server has at most 500 channels; channels over the cap stay", async () => {
    const more =
      "INSERT INTO channels (server_id, name, position) SELECT $1, 'c', n FROM generate_series(1, $2::int) n";
    await sql.query(more, [server.id, 498]);
    expectOneOf(await onBoth(owner, makeChannel), "Limit of 500 channels reached");
    expect(await count("channels WHERE server_id", server.id)).toBe(500);
    await sql.query(more, [server.id, 10]);
    expect((await owner.get(`/servers/${server.id}/channels`)).body).toHaveLength(510);
    expect((await owner.patch(`/channels/${channel.id}`, { name: "renamed" })).status).toBe(200);
    const stranger = await createClient(stack.edgeUrl).register();
    await joinServer(stranger, server.id);
    expect((await makeChannel(stranger)).status).toBe(403);
    await sql.query("DELETE FROM channels WHERE server_id = $1 AND id <> $2", [server.id, channel.id]);
    expect((await makeChannel(owner)).status).toBe(201);
  });

  test("a server has at most 250 roles", async () => {
    await sql.query(
      "INSERT INTO roles (server_id, name, position) SELECT $1, 'r', n FROM generate_series(1, 249) AS n",
      [server.id],
    );
    const answers = await onBoth(owner, (client) => client.post(`/servers/${server.id}/roles`, { name: "r" }));
    expectOneOf(answers, "Limit of 250 roles reached");
    expect(await count("roles WHERE server_id", server.id)).toBe(250);
  });

  test("a server has at most 250 reactions of a message; further people may join in with those that it has", async () => {
    const { id } = await postMessage(owner, channel.id, "react to me");
    const emojis = Array.from({ length: 0x300 }, (_, n) => String.fromCodePoint(0x1f300 + n)).filter((emoji) =>
      /^\p{RGI_Emoji}$/v.test(emoji),
    );
    const pathOf = (number: number) => `/channels/${channel.id}/messages/${id}/reactions/${emojis[number]}`;
    await sql.query("INSERT INTO reactions (message_id, emoji, user_id) SELECT $1, unnest($3::text[]), $2", [
      id,
      owner.user.id,
      emojis.slice(0, 249),
    ]);
    const answers = await onBoth(owner, (client, number) => client.put(pathOf(249 + number)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(7).fill(400)]);
    for (const { status, body } of answers) {
      if (status === 400) expect(body).toEqual(error("Limit of 250 reactions reached"));
    }
    expect(await count("reactions WHERE message_id", id)).toBe(250);
    const kept = answers.findIndex(({ status }) => status === 204);
    expect((await owner.put(pathOf(249 + kept))).status).toBe(204);
    const member = await createClient(stack.edgeUrl).register();
    await joinServer(member, server.id);
    expect((await member.put(pathOf(7))).status).toBe(204);
    expect((await member.put(pathOf(299))).status).toBe(400);
    expect((await owner.delete(pathOf(8))).status).toBe(204);
    expect((await member.put(pathOf(299))).status).toBe(204);
  });

  test("a server has at most 100 overrides of a channel; an existing one is replaced all the same", async () => {
    await sql.query(
      `WITH made AS (INSERT INTO users (username) SELECT $1 || n FROM generate_series(1, 99) AS n RETURNING id)
        INSERT INTO channel_overrides (channel_id, user_id, allow, deny) SELECT $2, id, 0, 1 FROM made`,
      [randomUUID().slice(0, 8), channel.id],
    );
    const roles: Role[] = [];
    for (let made = 0; made < 8; made += 1) roles.push(await createRole(owner, server.id));
    const put = (client: RestClient, number: number) =>
      client.put(`/channels/${channel.id}/overrides`, { role_id: roles[number]?.id, allow: 0, deny: 1 });
    const answers = await onBoth(owner, put);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(400)]);
    for (const { status, body } of answers) {
      if (status === 400) expect(body).toEqual(error("Limit of 100 overrides reached"));
    }
    expect(await count("channel_overrides WHERE channel_id", channel.id)).toBe(100);
    const stored = answers.findIndex(({ status }) => status === 200);
    expect((await put(owner, stored)).expect(200, ChannelOverride).role_id).toBe(roles[stored]?.id);
    const other = await createChannel(owner, server.id);
    expect(
      (await owner.put(`/channels/${other.id}/overrides`, { role_id: roles[0]?.id, allow: 0, deny: 1 })).status,
    ).toBe(200);
  });

  test("a server has at most 1,000 filtered words; one that is there is found all the same", async () => {
    await sql.query(
      "INSERT INTO automod_words (server_id, word) SELECT $1, 'w' || n FROM generate_series(1, 999) AS n",
      [server.id],
    );
    const add = (client: RestClient, word: string) => client.post(`/servers/${server.id}/automod/words`, { word });
    const answers = await onBoth(owner, (client, number) => add(client, `new${number}`));
    expectOneOf(answers, "Limit of 1000 words reached");
    expect(await count("automod_words WHERE server_id", server.id)).toBe(1_000);
    expect((await add(owner, "w1")).expect(201, AutomodWord).word).toBe("w1");
  });

  test("a server has at most 1,000 invites in force; of those that are not, the latest 1,000 stay", async () => {
    const make = (client: RestClient) => client.post(`/servers/${server.id}/invites`, {});
    const more = `INSERT INTO invites (server_id, code, max_uses, uses, expires_at, created_at)
      SELECT $1, $6 || lpad(n::text, 5, '0'), $2, $3, $4, now() - make_interval(mins => n)
      FROM generate_series(1, $5::int) AS n`;
    await sql.query(more, [server.id, 3, 2, null, 999, "aaa"]);
    await sql.query(more, [server.id, 3, 3, null, 600, "bbb"]);
    await sql.query(more, [server.id, null, 0, new Date(Date.now() - 1_000), 600, "ccc"]);
    expectOneOf(await onBoth(owner, make), "Limit of 1000 invites reached");
    expect((await owner.get(`/servers/${server.id}/invites`)).body).toHaveLength(2_000);
    await sql.query("UPDATE invites SET uses = 3 WHERE id = (SELECT id FROM invites WHERE uses = 2 LIMIT 1)");
    expect((await make(owner)).status).toBe(201);
  });
});

describe("an account has at most", () => {
  /** Makes an account a member of so many servers of another's. */
  const joinMany = async (userId: string, servers: number) => {
    const someoneElse = await createClient(stack.edgeUrl).register();
    await sql.query(
      `WITH made AS (
          INSERT INTO servers (name, owner_id) SELECT 's', $1 FROM generate_series(1, $3::int) RETURNING id)
        INSERT INTO members (server_id, user_id) SELECT id, $2 FROM made`,
      [someoneElse.user.id, userId, servers],
    );
    // Autovacuum does so within a minute. Until then a connection may keep a plan of when the tables had one page: it reads all
    // servers for each membership.
    await sql.query("ANALYZE servers, members");
  };

  test("an account has at most 100 servers of its own", async () => {
    await sql.query("INSERT INTO servers (name, owner_id) SELECT 's', $1 FROM generate_series(1, 98)", [owner.user.id]);
    const answers = await onBoth(owner, (client) => client.post("/servers", { name: "s" }));
    expectOneOf(answers, "Limit of 100 servers reached");
    expect(await count("servers WHERE owner_id", owner.user.id)).toBe(100);
    expect((await owner.post("/servers", { name: "" })).body).toEqual(error("Server name must be 1-100 characters"));
  });

  test("an account has at most 200 memberships, whether by joining, by an invite or with a server of its own", async () => {
    const invite = (await owner.post(`/servers/${server.id}/invites`, { max_uses: 10 })).expect(201, Invite);
    const other = await createServer(owner, { is_public: true });
    const member = await createClient(stack.edgeUrl).register();
    await joinMany(member.user.id, 199);
    const answers = await onBoth(member, (client, number) => {
      if (number % 3 === 0) return client.post(`/servers/${other.id}/join`);
      return number % 3 === 1 ? client.post(`/invites/${invite.code}/accept`) : client.post("/servers", { name: "s" });
    });
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of answers) {
      if (status === 400) expect(body).toEqual(error("Limit of 200 memberships reached"));
      else expect([201, 409]).toContain(status);
    }
    expect(await count("members WHERE user_id", member.user.id)).toBe(200);
    const uses = await sql.query<{ uses: number }>("SELECT uses FROM invites WHERE id = $1", [invite.id]);
    expect(uses.rows[0]?.uses).toBe(
      await count(`members WHERE server_id = '${server.id}' AND user_id`, member.user.id),
    );
  });

  test("an account has at most 200 memberships, at which a repeated join is still 409, and what does not exist still 404", async () => {
    const member = await createClient(stack.edgeUrl).register();
    await joinServer(member, server.id);
    await joinMany(member.user.id, 199);
    const answers = [
      await member.post(`/servers/${server.id}/join`),
      await member.post(`/servers/${randomUUID()}/join`),
      await member.post("/invites/aaaaaaaa/accept"),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [409, error("Already a member of this server")],
      [404, error("Server not found")],
      [404, error("Invite not found")],
    ]);
    await member.delete(`/servers/${server.id}/leave`);
    await joinServer(member, server.id);
  });

  test("an account has at most 1,000 blocks and 1,000 friends, waits for 200 requests and is asked by 1,000", async () => {
    const { id } = owner.user;
    const strangers =
      "INSERT INTO users (username) SELECT md5(random()::text) FROM generate_series(1, $2::int) RETURNING id";
    const fill = (table: string, values: string, many: number) =>
      sql.query(`WITH other AS (${strangers}) INSERT INTO ${table} SELECT ${values} FROM other`, [id, many]);
    const friendships = "friendships (user_low, user_high, requested_by, accepted_at)";
    const pair = "least(id, $1::uuid), greatest(id, $1::uuid)";
    const [one, other] = [await createClient(stack.edgeUrl).register(), await createClient(stack.edgeUrl).register()];
    /** The same of both others, by both apis at once: one of them is refused. */
    const expectOneRefused = async (path: string, text: string) => {
      const answers = await Promise.all(
        stack.apis.map(({ url }, at) => {
          const client = createClient(url, { authorization: `Bearer ${owner.accessToken}` });
          return client.put(`/users/@me/${path}/${(at === 0 ? one : other).user.id}`);
        }),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
      expect(answers.find(({ status }) => status === 400)?.body).toEqual(error(text));
    };
    await fill(friendships, `${pair}, $1, NULL`, 199);
    await expectOneRefused("friends", "Limit of 200 requests reached");
    await sql.query("DELETE FROM friendships WHERE requested_by = $1", [id]);

    for (const { put } of [one, other]) expect((await put(`/users/@me/friends/${id}`)).status).toBe(204);
    await fill(friendships, `${pair}, id, NULL`, 998);
    const third = await createClient(stack.edgeUrl).register();
    expect((await third.put(`/users/@me/friends/${id}`)).body).toEqual(error("Limit of 1000 requests reached"));
    await fill(friendships, `${pair}, id, now()`, 999);
    await expectOneRefused("friends", "Limit of 1000 friends reached");

    await fill("user_blocks (blocker_id, blocked_id)", "$1, id", 999);
    await expectOneRefused("blocks", "Limit of 1000 blocks reached");
  });

  test("an account has at most 25 bots, not counting revoked ones, each in up to 10,000 servers", async () => {
    const made = await onBoth(owner, (client) => client.post("/bots", { name: "b" }));
    expect(made.map(({ status }) => status)).toEqual(Array<number>(8).fill(201));
    const [first] = made;
    const token = String(Object(first?.body).token);
    const { id, user_id } = Object(Object(first?.body).bot);
    await joinMany(user_id, 9_999);
    const bot = createClient(stack.edgeUrl, { authorization: `Bot ${token}` });
    await joinServer(bot, server.id);
    const other = await createServer(owner, { is_public: true });
    const refused = await bot.post(`/servers/${other.id}/join`);
    expect([refused.status, refused.body]).toEqual([400, error("Limit of 10000 memberships reached")]);

    await sql.query(
      `WITH made AS (INSERT INTO users (username) SELECT $1 || n FROM generate_series(1, 16) AS n RETURNING id)
        INSERT INTO bots (user_id, name, created_by, token_hash)
        SELECT id, 'b', $2, encode(sha256(id::text::bytea), 'hex') FROM made`,
      [randomUUID().slice(0, 8), owner.user.id],
    );
    const more = await onBoth(owner, (client) => client.post("/bots", { name: "b" }));
    expectOneOf(more, "Limit of 25 bots reached");
    await owner.delete(`/bots/${id}`);
    expect((await owner.post("/bots", { name: "b" })).status).toBe(201);
    expect((await owner.get("/bots")).expect(200, { parse: (body) => Object(body).bots })).toHaveLength(26);
  });
});
