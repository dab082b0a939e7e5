import { Agent, get } from "node:http";
import { buffer } from "node:stream/consumers";
import { median, type Run, report, runLanes } from "./measure.js";
import { cpuSeconds } from "./processes.js";
import { roundTrips } from "./round-trips.js";
import { statementsAtOnce, withStack } from "./stack.js";
import { createRoom } from "./world.js";

const lanes = statementsAtOnce;
const durationMs = 5_000;
const rounds = 3;
const messages = 20_000;
const content = "The quick brown fox jumps over the lazy dog, and then it rests for a while. ".repeat(2);

/** The keys of a message as the endpoint gives them, made by PostgreSQL. */
const bareText = `SELECT json_agg(page)::text AS page FROM (
  SELECT m.id, m.channel_id, m.author_id, m.content, m.reply_to, m.mention_user_ids, m.mention_everyone, m.thread_id,
    m.thread_reply_count, m.edited_at, m.deleted, m.created_at, m.pinned, m.pinned_by, m.pinned_at,
    CASE WHEN EXISTS (SELECT FROM polls p WHERE p.message_id = m.id) THEN '{}'::json END AS poll,
    (SELECT to_json(e) FROM scheduled_events e WHERE e.message_id = m.id) AS event
  FROM messages m WHERE m.channel_id = $1 AND m.listed ORDER BY m.created_at DESC, m.id DESC LIMIT 50) AS page`;

/**
 * GET history of 50 messages on one api process at concurrency 16, against one prepared statement for the same messages
 * whose JSON PostgreSQL makes, alternating in one run; neither side's JSON is parsed.
 */
export function benchHistory(): Promise<void> {
  return withStack({}, async (stack) => {
    const api = await stack.start("api");
    const { serverId, channelId, userIds } = await createRoom(stack.pool, 1);
    await stack.pool.query(
      `INSERT INTO messages (channel_id, server_id, author_id, content)
        SELECT $1, $2, $3, $4 FROM generate_series(1, $5::integer)`,
      [channelId, serverId, userIds[0], content, messages],
    );
    await stack.pool.query("VACUUM ANALYZE");
    const options = {
      agent: new Agent({ keepAlive: true, maxSockets: lanes }),
      headers: stack.headers(userIds[0] ?? ""),
    };
    const url = `${api.url}/channels/${channelId}/messages`;
    const read = () =>
      new Promise<number>((resolve, reject) => {
        const request = get(url, options, async (response) => {
          const body = await buffer(response);
          if (response.statusCode === 200) resolve(body.length);
          else reject(new Error(`history answered ${response.statusCode}`));
        });
        request.on("error", reject);
      });
    const query = async () => {
      const { rows } = await stack.pool.query<{ page: string }>({ name: "bare", text: bareText, values: [channelId] });
      return rows[0]?.page.length;
    };
    report(`one page      ${await read()} bytes from the api, ${await query()} characters from PostgreSQL`);
    await runLanes({ lanes, durationMs: 2_000 }, read);
    await runLanes({ lanes, durationMs: 1_000 }, query);
    let answered = 0;
    const counted = async () => {
      await read();
      answered += 1;
    };
    const trips = await roundTrips(stack);
    await runLanes({ lanes, durationMs: 2_000 }, counted);
    const tripsAfter = await roundTrips(stack);
    const per = (key: keyof typeof trips) => ((tripsAfter[key] - trips[key]) / answered).toFixed(2);
    report(
      `per request   ${per("statements")} SQL statements (batches shared), ${per("redisCommands")} Redis commands`,
    );
    const reads: Run[] = [];
    const queries: Run[] = [];
    let cpu = 0;
    let seconds = 0;
    for (let round = 0; round < rounds; round += 1) {
      const before = [await cpuSeconds(api.pid()), performance.now()] as const;
      reads.push(await runLanes({ lanes, durationMs }, read));
      cpu += (await cpuSeconds(api.pid())) - before[0];
      seconds += (performance.now() - before[1]) / 1_000;
      queries.push(await runLanes({ lanes, durationMs }, query));
    }
    const value = (runs: readonly Run[], key: keyof Run) => median(runs.map((run) => run[key]));
    const rate = value(reads, "perSecond");
    const bare = value(queries, "perSecond");
    const line = (runs: readonly Run[]) =>
      `${value(runs, "perSecond").toFixed(0)}/s  p50 ${value(runs, "p50").toFixed(2)} ms  p99 ${value(runs, "p99").toFixed(2)} ms`;
    report(`GET history   ${line(reads)}  (median of ${rounds}, concurrency ${lanes})`);
    report(`bare SELECT   ${line(queries)}`);
    report(`processor     ${((cpu / seconds / rate) * 1e6).toFixed(0)} µs a request in the api`);
    report(`ratio         ${(bare / rate).toFixed(2)} times as long  (goal: 1.5)`);
  });
}
