import { connect } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startNats, startPostgres, startRedis } from "./test-servers.js";

/** Sends one line of a text protocol and returns the answer up to the pattern. */
function ask(port: number, line: string, until: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket.setEncoding("utf8");
    socket.on("data", (text) => {
      answer += text;
      if (!until.test(answer)) return;
      socket.destroy();
      resolve(answer);
    });
    socket.once("error", reject);
    socket.once("close", () => reject(new Error(`closed after ${JSON.stringify(answer)}`)));
    socket.write(line);
  });
}

describe("Redis", () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  test("Redis keeps its data and port over a crash and an orderly restart", async () => {
    const { url } = redis;
    await ask(redis.port, "SET kept yes\r\n", /\+OK/);
    await redis.restart();
    expect(await ask(redis.port, "GET kept\r\n", /yes|\$-1/)).toContain("yes");
    await redis.kill();
    expect(redis.running()).toBe(false);
    await expect(ask(redis.port, "PING\r\n", /PONG/)).rejects.toThrow(/ECONNREFUSED/);
    await redis.restart();
    expect(await ask(redis.port, "GET kept\r\n", /yes|\$-1/)).toContain("yes");
    expect(redis.url).toBe(url);
  });

  test("Redis answers nothing while it is paused and goes on afterwards", async () => {
    redis.pause();
    let answered = false;
    const answer = ask(redis.port, "PING\r\n", /PONG/).then(() => {
      answered = true;
    });
    // Another server's whole start is time enough for an answer that would come.
    const other = await startRedis();
    await other.stop();
    expect(answered).toBe(false);
    redis.resume();
    await answer;
  });
});

describe("NATS", () => {
  let nats: Awaited<ReturnType<typeof startNats>>;
  beforeAll(async () => {
    nats = await startNats();
  });
  afterAll(() => nats.stop());

  test("NATS offers JetStream and keeps streams over a crash", async () => {
    const create = JSON.stringify({ name: "KEPT", subjects: ["kept"], storage: "file", num_replicas: 1 });
    const request = (subject: string, body: string) =>
      `CONNECT {"verbose":false,"headers":true}\r\nSUB inbox 1\r\nPUB ${subject} inbox ${body.length}\r\n${body}\r\n`;
    expect(await ask(nats.port, request("$JS.API.STREAM.CREATE.KEPT", create), /MSG inbox[\s\S]*\}\r\n/)).toContain(
      '"did_create":true',
    );
    await nats.kill();
    await nats.restart();
    expect(await ask(nats.port, request("$JS.API.STREAM.INFO.KEPT", ""), /MSG inbox[\s\S]*\}\r\n/)).toContain(
      '"name":"KEPT"',
    );
  });
});

describe("PostgreSQL", () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  beforeAll(async () => {
    postgres = await startPostgres({ durable: true });
  });
  afterAll(() => postgres.stop());

  async function query(statement: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    try {
      return (await client.query(statement)).rows;
    } finally {
      await client.end();
    }
  }

  test("PostgreSQL keeps committed rows over a crash, and is the version that makes UUIDv7", async () => {
    await query("CREATE TABLE kept (id uuid DEFAULT uuidv7())");
    await query("INSERT INTO kept DEFAULT VALUES");
    await postgres.kill();
    await expect(query("SELECT 1")).rejects.toThrow(/ECONNREFUSED/);
    await postgres.restart();
    expect(await query("SELECT count(*)::int FROM kept")).toEqual([{ count: 1 }]);
  });

  test("PostgreSQL wants its password", async () => {
    const url = new URL(postgres.url);
    url.password = "wrong";
    const client = new pg.Client({ connectionString: url.toString() });
    await expect(client.connect()).rejects.toThrow(/password authentication failed/);
  });
});
