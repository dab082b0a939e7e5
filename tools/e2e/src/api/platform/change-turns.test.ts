import { Channel } from "@parley/contracts";
import {
  type Answer,
  createChannel,
  createClient,
  createServer,
  startStack,
  type TestStack,
  type UserClient,
  waitingForLocks,
  waitUntil,
} from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

let stack: TestStack;
let database: pg.Client;
let hostile: UserClient;
let quiet: UserClient;

// Connections of the api: each of the hostile tenant's many changes at once would hold one while it waits for a lock.
const connections = 4;

beforeAll(async () => {
  // Its own: an api with few connections to the database.
  stack = await startStack({ apis: 1, gateways: 0, env: { DATABASE_POOL_MAX: String(connections) } });
  database = new pg.Client({ connectionString: stack.databaseUrl });
  await database.connect();
  const client = createClient(stack.edgeUrl);
  [hostile, quiet] = [await client.register(), await client.register()];
});
afterAll(async () => {
  await database?.end();
  await stack?.stop();
});

/** The results of the requests, and of a quiet tenant meanwhile, while the test holds the lock that they all need. */
async function besideHeldLock(lock: string, id: string, requests: () => Promise<Answer>[]) {
  const server = await createServer(quiet);
  await database.query("BEGIN");
  const lockedAt = performance.now();
  await database.query(lock, [id]);
  const answers = requests();
  await waitUntil(async () => (await waitingForLocks(database)) > 0, { what: "a change to wait for the lock" });
  for (let n = 0; n <= connections; n += 1) {
    expect((await quiet.get("/servers")).status).toBe(200);
    (await quiet.post(`/servers/${server.id}/channels`, { name: `quiet ${n}` })).expect(201, Channel);
  }
  const waiting = await waitingForLocks(database);
  await database.query("COMMIT");
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  // A change that has waited for ten seconds ends with 429.
  const mayGiveUp = performance.now() - lockedAt >= turnWaitMs;
  return { waiting, failed: statuses.filter((status) => !isSuccess(status) && !(mayGiveUp && status === 429)) };
}

const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
const isSuccess = (status: number) => status >= 200 && status < 300;

/** How long a change waits for its turn. */
const turnWaitMs = 10_000;

test("all changes of a server that wait for its row occupy one connection, and the other servers go on", async () => {
  const { id } = await createServer(hostile);
  const channel = await createChannel(hostile, id);
  const server = `/servers/${id}`;
  const { waiting, failed } = await besideHeldLock("SELECT FROM servers WHERE id = $1 FOR NO KEY UPDATE", id, () =>
    times(4, (n) => [
      hostile.post(`${server}/automod/words`, { word: `word ${n}` }),
      hostile.delete(`${server}/automod/words/other${n}`),
      hostile.post(`${server}/channels`, { name: `hostile ${n}` }),
      hostile.patch(`/channels/${channel.id}`, { name: `renamed ${n}` }),
      hostile.patch(server, { name: `renamed ${n}` }),
      hostile.put(`${server}/retention`, { retention_days: 30 + n }),
      hostile.post(`${server}/webhooks`, { name: "w", url: "https://example.com/", event_types: ["message.created"] }),
    ]).flat(),
  );
  expect(waiting).toBe(1);
  expect(failed).toEqual([]);
});

test("all changes that wait for an account occupy one connection, and the other accounts go on", async () => {
  const others = await Promise.all(times(4, () => createClient(stack.edgeUrl).register()));
  const servers = await Promise.all(others.map((owner) => createServer(owner, { is_public: true })));
  const { waiting, failed } = await besideHeldLock(
    "SELECT pg_advisory_xact_lock(hashtextextended('account ' || $1::text, 0))",
    hostile.user.id,
    () =>
      times(4, (n) => [
        hostile.post("/bots", { name: `bot ${n}` }),
        hostile.post("/servers", { name: `server ${n}` }),
        hostile.post("/dm-channels", { user_id: others[n]?.user.id }),
        hostile.post(`/servers/${servers[n]?.id}/join`),
      ]).flat(),
  );
  expect(waiting).toBe(1);
  expect(failed).toEqual([]);
});
