import {
  createClient,
  createServerWithMembers,
  type RestClient,
  startStack,
  type TestStack,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fillChannel, openExport } from "./exports-stage.js";

/** Memory of a process for objects and strings before it ends. */
const heapMegabytes = 128;
let stack: TestStack;
let client: RestClient;
let sql: pg.Client;

beforeAll(async () => {
  // Its own: its api has little memory.
  stack = await startStack({ gateways: 0, env: { NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}` } });
  client = createClient(stack.edgeUrl);
  sql = new pg.Client({ connectionString: stack.databaseUrl });
  await sql.connect();
});
afterAll(async () => {
  await sql?.end();
  await stack?.stop();
});

const open = (owner: UserClient, serverId: string, query = "") =>
  openExport(stack.apis[0]?.url ?? "", owner, serverId, query);

describe("exports under way", () => {
  /** A server with more messages than sockets and streams buffer while nobody reads. */
  async function large(count = 10_000, words = 80) {
    const { owner, server, channel } = await createServerWithMembers(client, 0);
    await fillChannel(sql, channel.id, server.id, { count, authorId: owner.user.id, words });
    return { owner, serverId: server.id };
  }

  test("exports that are hardly read are ended, so that a stranger's is served", { timeout: 180_000 }, async () => {
    const slow = [];
    for (let count = 0; count < 4; count += 1) slow.push(await large());
    const held = await Promise.all(slow.map(({ owner, serverId }) => open(owner, serverId)));
    const dripping = setInterval(() => {
      for (const answer of held) answer.read(5);
    }, 1_000);
    const [first] = slow;
    const again = await open(first?.owner ?? (await client.register()), first?.serverId ?? "");
    expect([again.statusCode, again.headers["retry-after"]]).toEqual([429, "60"]);
    again.resume();
    const { owner, server } = await createServerWithMembers(client, 0);
    const isServed = async () => {
      const answer = await open(owner, server.id);
      answer.resume();
      return answer.statusCode === 200;
    };
    await waitUntil(isServed, { what: "the stranger's export", timeoutMs: 150_000 });
    clearInterval(dripping);
    for (const answer of held) answer.on("error", () => {}).destroy();
    // No statement reads for receivers that were cut off, or left.
    await waitUntil(async () => {
      const { rows } = await sql.query<{ count: number }>(
        `SELECT count(*)::integer AS count FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
      );
      return rows[0]?.count === 0;
    });
  });

  test.each(["", "?files=true"])("exports%s under way do not hold their messages in memory", async (query) => {
    const words = 120;
    // The other half of the heap is not free.
    const { owner, serverId } = await large(Math.ceil(((heapMegabytes / 2) * 1024 ** 2) / (words * 32)), words);
    let bytes = 0;
    for await (const chunk of await open(owner, serverId, query)) bytes += chunk.length;
    expect(bytes).toBeGreaterThan((heapMegabytes / 4) * 1024 ** 2);
  });
});
