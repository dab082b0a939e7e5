import { randomUUID } from "node:crypto";
import type { AutomodEvidence, AutomodStored } from "@parley/contracts";
import type { ServerProcess } from "@parley/local-stack";
import { connectMessaging, type Messaging, notify, request } from "@parley/messaging";
import type pg from "pg";
import { z } from "zod";
import { bench } from "../bench.js";
import { check, median, report, runLanes } from "../measure.js";
import { insertRules, ordinaryRules } from "../own-rules.js";
import { createPoster } from "../poster.js";
import { cpuSeconds } from "../processes.js";
import { withStack } from "../stack.js";
import { createRoom, insertWords, type Room } from "../world.js";

const words = 10_000;
/** Patterns among the rules that the server has made itself. */
const patterns = 100;
const authors = 100;
/** Authors of messages that are judged alone: so many that nobody sends more than a few a second. */
const judgedAuthors = 2_000;
const judgeLanes = 128;
/** The most that the configuration allows, so that the rules are applied and nobody breaks them. */
const spam = { spam_max_messages: 50, spam_window_secs: 1 };
const text = "The quick brown fox jumps over the lazy dog, and then it rests for a while. ".repeat(2);
const sizes = { rounds: 5, seconds: 3 };

/**
 * Measures the additional latency of a message with all rules and 10,000 words, and with own rules with 10,000 words
 * and 100 patterns, against a server without auto-moderation, in turns; and how many messages one automod process
 * judges per second.
 */
export default bench({ sizes, quick: { rounds: 1, seconds: 1 } }, (chosen) =>
  withStack({}, async (stack) => {
    const [api, automod] = [await stack.start("api"), await stack.start("automod")];
    const post = createPoster(api.url);
    const [plain, guarded] = [await createRoom(stack.pool, authors), await createRoom(stack.pool, authors)];
    await insertWords(stack.pool, guarded.serverId, words, "'forbidden' || md5(n::text)");
    const rules = { enabled: true, word_filter_enabled: true, duplicate_enabled: true, spam_enabled: true, ...spam };
    await post(`/servers/${guarded.serverId}/automod`, rules, stack.headers(guarded.userIds[0] ?? ""), "PATCH");
    const ruled = await createRoom(stack.pool, authors);
    await insertRules(stack.pool, ruled.serverId, ordinaryRules(words, patterns));

    let sent = 0;
    const sendTo = ({ channelId, userIds }: Room) => {
      const members = userIds.map((userId) => stack.headers(userId));
      return async () => {
        sent += 1;
        await post(`/channels/${channelId}/messages`, { content: `${text} ${sent}` }, members[sent % members.length]);
      };
    };
    await reportLatency([plain, guarded, ruled].map(sendTo), chosen);

    const logger = { info: () => undefined, warn: () => undefined };
    const messaging = await connectMessaging({ url: stack.servers.nats.url, name: "bench", logger });
    const judging = { messaging, stored: await storeMessages(stack.pool, guarded), automod };
    // The evidence that the api sends from the database: five messages in the last half minute, none like this one.
    const evidence = { recent_texts: [1, 2, 3, 4, 5], recent_messages: 1 };
    await reportJudging(judging, "cleared by the check", evidence, chosen);
    await reportJudging(judging, "judged twice", { recent_texts: null, recent_messages: null }, chosen);
    await messaging.close();
  }),
);

async function reportLatency(sends: readonly (() => Promise<void>)[], { rounds, seconds }: typeof sizes) {
  const times = sends.map((): number[] => []);
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, send] of sends.entries()) {
      const { p50 } = await runLanes({ lanes: 1, durationMs: seconds * 1_000 }, send);
      if (round > 0) times[at]?.push(p50);
    }
  }
  const [plain = 0, guarded = 0, ruled = 0] = times.map(median);
  report(`without automod  p50 ${plain.toFixed(2)} ms  (median of ${rounds})`);
  report(`all rules        ${(guarded - plain).toFixed(2)} ms more  (goal: at most 2; ${words} words)`);
  report(
    `own rules        ${(ruled - plain).toFixed(2)} ms more  (goal: at most 1.5; ${words} words and ${patterns} patterns)`,
  );
}

interface Judging {
  messaging: Messaging;
  stored: readonly AutomodStored[];
  automod: ServerProcess;
}

async function reportJudging(
  { messaging, stored, automod }: Judging,
  name: string,
  evidence: AutomodEvidence,
  { rounds, seconds }: typeof sizes,
) {
  let judged = 0;
  let silent = 0;
  const judge = async () => {
    const message = stored[judged++ % stored.length];
    if (message === undefined) return;
    const content = `${text} ${name} ${judged}`;
    const sent = { ...message, judgement_id: randomUUID(), content, texts: [content] };
    const rules: AutomodStored["rules"] = ["word_filter", "duplicate", "spam"];
    const check = { ...sent, rules, evidence, evidence_age_ms: 5, answer_within_ms: 500 };
    const verdict = await request(messaging, "automodCheck", check, 5_000);
    const ticket = verdict?.ticket ?? null;
    const isOver = verdict === null || verdict.rules_after.length === 0;
    const late = () =>
      request(messaging, "automodStored", { ...sent, ticket, rules: verdict?.rules_after ?? [] }, 5_000);
    if ((isOver ? verdict : await late()) === null) silent += 1;
    else if (isOver && ticket !== null) {
      notify(messaging, "automodSettled", { ticket, message_id: message.message_id });
    }
  };
  const rates: number[] = [];
  await runLanes({ lanes: judgeLanes, durationMs: seconds * 1_000 }, judge);
  const [judgedBefore, cpuBefore] = [judged, await cpuSeconds(automod.pid())];
  while (rates.length < rounds) {
    rates.push((await runLanes({ lanes: judgeLanes, durationMs: seconds * 1_000 }, judge)).perSecond);
  }
  const cpuMicros = (((await cpuSeconds(automod.pid())) - cpuBefore) / (judged - judgedBefore)) * 1e6;
  check("messages without a verdict", silent, 0);
  report(
    `one process      ${median(rates).toFixed(0)} messages/s ${name}, all rules  (goal: 5000; concurrency ${judgeLanes}), ${cpuMicros.toFixed(0)} µs of its processor each`,
  );
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
