import { AuthResponse, Channel, Server } from "@parley/contracts";
import { Redis } from "ioredis";
import pg from "pg";
import { WebSocket } from "ws";
import { z } from "zod";
import { median, type Run, report, runLanes } from "./measure.js";
import { createPoster } from "./poster.js";
import { cpuSeconds } from "./processes.js";
import { startBenchStack } from "./stack.js";

const lanes = 16;
const durationMs = 5_000;
const rounds = 3;

/**
 * POST message on one api process at concurrency 16, events delivered to a socket, against bare prepared INSERTs into
 * the same table at the same concurrency, alternating in one run; and the round trips that a message costs.
 */
export async function benchPostMessage(): Promise<void> {
  const stack = await startBenchStack();
  try {
    const api = await stack.start("api");
    const gateway = await stack.start("gateway");
    const post = createPoster(api.url);
    const { access_token, user } = AuthResponse.parse(
      await post("/auth/register", { username: "bench", password: "benchmark" }),
    );
    const auth = { authorization: `Bearer ${access_token}` };
    const server = Server.parse(await post("/servers", { name: "bench" }, auth));
    const channel = Channel.parse(await post(`/servers/${server.id}/channels`, { name: "bench" }, auth));
    const path = `/channels/${channel.id}/messages`;
    const content = "The quick brown fox jumps over the lazy dog, and then it rests for a while. ".repeat(2);

    let delivered = 0;
    const socket = new WebSocket(`${gateway.url.replace("http", "ws")}/ws?token=${access_token}`);
    socket.on("message", () => {
      delivered += 1;
    });
    await new Promise((resolve) => socket.once("message", resolve));
    delivered = 0;

    const pool = new pg.Pool({ connectionString: stack.databaseUrl, max: lanes });
    const insert = () =>
      pool.query({
        name: "bare",
        text: "INSERT INTO messages (channel_id, server_id, author_id, content) VALUES ($1, $2, $3, $4) RETURNING id",
        values: [channel.id, server.id, user.id, content],
      });

    let sent = 0;
    const send = async () => {
      await post(path, { content }, auth);
      sent += 1;
    };
    await runLanes({ lanes, durationMs: 2_000 }, send);
    await runLanes({ lanes, durationMs: 1_000 }, insert);

    const before = await roundTrips(stack);
    const sentBefore = sent;
    const cpuBefore = [await cpuSeconds(api.pid()), await cpuSeconds(gateway.pid())] as const;
    const posts: Run[] = [];
    const inserts: Run[] = [];
    for (let round = 0; round < rounds; round += 1) {
      posts.push(await runLanes({ lanes, durationMs }, send));
      if (round === 0) printRoundTrips(before, await roundTrips(stack), sent - sentBefore);
      inserts.push(await runLanes({ lanes, durationMs }, insert));
    }
    while (delivered < sent) await new Promise((resolve) => socket.once("message", resolve));
    const cpuAfter = [await cpuSeconds(api.pid()), await cpuSeconds(gateway.pid())] as const;
    const micros = (after: number, start: number) => (((after - start) / (sent - sentBefore)) * 1e6).toFixed(0);
    report(
      `processor time ${micros(cpuAfter[0], cpuBefore[0])} µs a message in the api, ${micros(cpuAfter[1], cpuBefore[1])} µs in the gateway`,
    );
    const rate = median(posts.map(({ perSecond }) => perSecond));
    const bare = median(inserts.map(({ perSecond }) => perSecond));
    report(
      `POST message   ${rate.toFixed(0)}/s  p50 ${median(posts.map(({ p50 }) => p50)).toFixed(2)} ms  p99 ${median(posts.map(({ p99 }) => p99)).toFixed(2)} ms  (median of ${rounds}, concurrency ${lanes}, ${delivered} of ${sent} events delivered)`,
    );
    report(`bare INSERT    ${bare.toFixed(0)}/s  p50 ${median(inserts.map(({ p50 }) => p50)).toFixed(2)} ms`);
    report(`ratio          ${(rate / bare).toFixed(2)}  (goal: 0.30)`);
    socket.terminate();
    await pool.end();
  } finally {
    await stack.stop();
  }
}

interface RoundTrips {
  statements: number;
  redisCommands: number;
}

async function roundTrips(stack: { databaseUrl: string; redisUrl: string }): Promise<RoundTrips> {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  // Every statement of ours outside an interactive transaction commits by itself.
  await client.query("SELECT pg_stat_force_next_flush()");
  const { rows } = await client.query("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()");
  await client.end();
  const redis = new Redis(stack.redisUrl);
  const info = await redis.info("stats");
  redis.disconnect();
  return {
    statements: Number(z.object({ xact_commit: z.coerce.number() }).parse(rows[0]).xact_commit),
    redisCommands: Number(/total_commands_processed:(\d+)/.exec(info)?.[1]),
  };
}

function printRoundTrips(before: RoundTrips, after: RoundTrips, messages: number): void {
  const per = (key: keyof RoundTrips) => ((after[key] - before[key]) / messages).toFixed(2);
  report(
    `per message    ${per("statements")} SQL statements (batches shared), ${per("redisCommands")} Redis commands (a script and what it runs), 1 NATS publish with ack`,
  );
}
