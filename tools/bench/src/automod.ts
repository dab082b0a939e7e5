import { randomUUID } from "node:crypto";
import { AuthResponse, type AutomodEvidence, type AutomodStored, Channel, Server } from "@parley/contracts";
import { connectMessaging, type Messaging, notify, request } from "@parley/messaging";
import pg from "pg";
import { z } from "zod";
import { median, type Run, report, runLanes } from "./measure.js";
import { createPoster, type Post } from "./poster.js";
import { type BenchStack, startBenchStack } from "./stack.js";

const words = 10_000;
const authors = 100;
/** So many that nobody sends more than a few messages a second. */
const judgedAuthors = 2_000;
const rounds = 5;
const durationMs = 3_000;
const judgeLanes = 128;
/** The most that the configuration allows, so that the rules are applied and nobody breaks them. */
const spam = { spam_max_messages: 50, spam_window_secs: 1 };
const text = "The quick brown fox jumps over the lazy dog, and then it rests for a while. ".repeat(2);

/**
 * What all rules and 10,000 words add to a message's latency, against a server without auto-moderation, alternating in
 * one run; and how many messages one automod process judges per second.
 */
export async function benchAutomod(): Promise<void> {
  const stack = await startBenchStack();
  const pool = new pg.Pool({ connectionString: stack.databaseUrl });
  try {
    const api = await stack.start("api");
    const automod = await stack.start("automod");
    const post = createPoster(api.url);
    const members = await registerAll(post);
    const plain = await createRoom(post, members);
    const guarded = await createRoom(post, members);
    await fillWords(pool, guarded.serverId);
    const rules = { enabled: true, word_filter_enabled: true, duplicate_enabled: true, spam_enabled: true, ...spam };
    await post(`/servers/${guarded.serverId}/automod`, rules, members[0]?.headers, "PATCH");
    await measureLatency(post, members, { plain, guarded });
    await measureThroughput(stack, pool, guarded, automod.url);
  } finally {
    await pool.end();
    await stack.stop();
  }
}

interface Member {
  id: string;
  headers: { authorization: string };
}

interface Room {
  serverId: string;
  channelId: string;
}

async function registerAll(post: Post): Promise<Member[]> {
  const members: Member[] = [];
  for (let number = 0; number < authors; number += 1) {
    const account = { username: `bench_${number}`, password: "benchmark" };
    const { access_token, user } = AuthResponse.parse(await post("/auth/register", account));
    members.push({ id: user.id, headers: { authorization: `Bearer ${access_token}` } });
  }
  return members;
}

/** A server of the first member, joined by all. */
async function createRoom(post: Post, [owner, ...others]: readonly Member[]): Promise<Room> {
  const server = Server.parse(await post("/servers", { name: "bench", is_public: true }, owner?.headers));
  const channel = Channel.parse(await post(`/servers/${server.id}/channels`, { name: "bench" }, owner?.headers));
  for (const { headers } of others) await post(`/servers/${server.id}/join`, {}, headers);
  return { serverId: server.id, channelId: channel.id };
}

async function fillWords(pool: pg.Pool, serverId: string): Promise<void> {
  await pool.query(
    "INSERT INTO automod_words (server_id, word) SELECT $1, 'forbidden' || md5(n::text) FROM generate_series(1, $2) n",
    [serverId, words],
  );
  await pool.query("UPDATE servers SET automod_words_version = automod_words_version + 1 WHERE id = $1", [serverId]);
}

async function measureLatency(
  post: Post,
  members: readonly Member[],
  rooms: { plain: Room; guarded: Room },
): Promise<void> {
  let sent = 0;
  const sendTo = (room: Room) => async () => {
    sent += 1;
    const { headers } = members[sent % members.length] ?? {};
    await post(`/channels/${room.channelId}/messages`, { content: `${text} ${sent}` }, headers);
  };
  const one = { lanes: 1, durationMs };
  for (const room of [rooms.plain, rooms.guarded]) await runLanes({ lanes: 1, durationMs: 2_000 }, sendTo(room));
  const plain: Run[] = [];
  const guarded: Run[] = [];
  for (let round = 0; round < rounds; round += 1) {
    plain.push(await runLanes(one, sendTo(rooms.plain)));
    guarded.push(await runLanes(one, sendTo(rooms.guarded)));
  }
  const p50 = (runs: readonly Run[]) => median(runs.map((run) => run.p50));
  const added = p50(guarded) - p50(plain);
  report(`without automod  p50 ${p50(plain).toFixed(2)} ms`);
  report(`all rules        p50 ${p50(guarded).toFixed(2)} ms  (${words} words, median of ${rounds})`);
  report(`added            ${added.toFixed(2)} ms  (goal: at most 2)`);
}

interface Judging {
  stack: BenchStack;
  messaging: Messaging;
  stored: readonly AutomodStored[];
  automodUrl: string;
}

/** Asks as the api does, once with what it knows of the database and once without. */
async function measureThroughput(stack: BenchStack, pool: pg.Pool, room: Room, automodUrl: string): Promise<void> {
  const logger = { info: () => undefined, warn: () => undefined };
  const messaging = await connectMessaging({ url: stack.natsUrl, name: "bench", logger });
  const judging = { stack, messaging, stored: await storeMessages(pool, room), automodUrl };
  // Five messages in the last half minute, none of them like this one.
  await judgeFor(judging, "cleared by the check", { recent_texts: [1, 2, 3, 4, 5], recent_messages: 1 });
  await judgeFor(judging, "judged twice", { recent_texts: null, recent_messages: null });
  await messaging.close();
}

async function judgeFor(judging: Judging, name: string, evidence: AutomodEvidence): Promise<void> {
  const { messaging, stored, automodUrl } = judging;
  let next = 0;
  let silent = 0;
  const judge = async () => {
    const message = stored[next++ % stored.length];
    if (message === undefined) return;
    const content = `${text} ${name} ${next}`;
    const sent = { ...message, judgement_id: randomUUID(), content, texts: [content] };
    const rules: AutomodStored["rules"] = ["word_filter", "duplicate", "spam"];
    const check = { ...sent, rules, evidence, evidence_age_ms: 5, answer_within_ms: 500 };
    const verdict = await request(messaging, "automodCheck", check, 5_000);
    const ticket = verdict?.ticket ?? null;
    const outcome =
      verdict === null || verdict.rules_after.length === 0
        ? verdict
        : await request(messaging, "automodStored", { ...sent, ticket, rules: verdict.rules_after }, 5_000);
    if (outcome === null) silent += 1;
    else if (!("deleted" in outcome) && ticket !== null) {
      notify(messaging, "automodSettled", { ticket, message_id: message.message_id });
    }
  };
  const runs: Run[] = [];
  await runLanes({ lanes: judgeLanes, durationMs: 2_000 }, judge);
  const [judgedBefore, cpuBefore] = [next, await cpuSeconds(automodUrl)];
  for (let round = 0; round < rounds; round += 1) runs.push(await runLanes({ lanes: judgeLanes, durationMs }, judge));
  const cpuMicros = (((await cpuSeconds(automodUrl)) - cpuBefore) / (next - judgedBefore)) * 1e6;
  const rate = median(runs.map(({ perSecond }) => perSecond));
  const p50 = median(runs.map((run) => run.p50));
  report(`one process      ${rate.toFixed(0)} messages/s ${name}, all rules  (goal: 5000)  p50 ${p50.toFixed(1)} ms`);
  report(`                 concurrency ${judgeLanes}, median of ${rounds}, ${silent} without an answer`);
  report(`                 ${cpuMicros.toFixed(0)} µs of its processor time a message, whatever else the machine does`);
}

async function cpuSeconds(serviceUrl: string): Promise<number> {
  const metrics = await (await fetch(`${serviceUrl}/metrics`)).text();
  return Number(/^process_cpu_seconds_total\S* (\S+)/m.exec(metrics)?.[1]);
}

/** Rows to be judged by the spam rule, spread over time so that nobody sent too many. */
async function storeMessages(pool: pg.Pool, room: Room): Promise<AutomodStored[]> {
  const { rows } = await pool.query(
    `WITH authors AS (
        INSERT INTO users (username) SELECT 'author_' || n FROM generate_series(1, $3) n RETURNING id)
      INSERT INTO messages (id, channel_id, server_id, author_id, content)
      SELECT uuidv7(make_interval(secs => -n)), $1, $2, (SELECT array_agg(id) FROM authors)[1 + n % $3], 'stored ' || n
      FROM generate_series(1, 20000) n RETURNING id, author_id`,
    [room.channelId, room.serverId, judgedAuthors],
  );
  const Row = z.object({ id: z.string(), author_id: z.string() });
  return z
    .array(Row)
    .parse(rows)
    .map(({ id, author_id }) => ({
      judgement_id: id,
      message_id: id,
      server_id: room.serverId,
      channel_id: room.channelId,
      user_id: author_id,
      content: text,
      texts: [text],
      rules: ["spam"],
      words_version: 1,
      ticket: null,
      ...spam,
    }));
}
