import type pg from "pg";
import { bench } from "../bench.js";
import { ascending, percentile, report, reportHead, reportRow, timeOf } from "../measure.js";
import { createPoster } from "../poster.js";
import { type BenchStack, withStack } from "../stack.js";
import { createRoom, insertIds, type Room } from "../world.js";

/** The words of a message; how often each is there falls as in natural language: `w1` is in half of all messages. */
const wordsOfMessage = 12;
const vocabulary = 50_000;
/** Channels of the searched server, and of each other one. */
const channels = { large: 50, other: 5 };
const otherServers = 900;
/** Every tenth message is the searched server's. */
const shareOfLarge = 10;
const secondsOfMessages = 365 * 24 * 3_600;
const searchers = 20;

const searchedWords = {
  "in every second message": "w1",
  "in a sixth": "w5",
  "in a twentieth": "w20",
  "in one of a hundred": "w100",
  "in one of a thousand": "w1000",
  "in one of 20,000": "w20000",
  "in none": "w99999",
  "two frequent words": "w1 w2",
  "a frequent and a rare one": "w3 w400",
};

/**
 * GET search in a server with a tenth of all messages, for words from frequent to rare: in all channels, in one of
 * them, and the second page. Ten million messages take about six minutes to make.
 */
export default bench(
  { sizes: { messages: 10_000_000, searches: 40 }, quick: { messages: 20_000, searches: 5 } },
  ({ messages, searches }) =>
    withStack({}, async (stack) => {
      const room = await createSearchedServer(stack, messages);
      const send = createPoster((await stack.start("api")).url);
      // In turns: after a search a user's place rests.
      const headers = room.userIds.map(stack.headers);
      let searched = 0;
      const search = async (query: string) => {
        searched += 1;
        return Object(
          await send(`/servers/${room.serverId}/search?${query}`, {}, headers[searched % searchers], "GET"),
        );
      };
      report(`p50 / p99 milliseconds of ${searches} searches among ${messages} messages`);
      reportHead(["word", "total", "all channels", "second page", "one channel"]);
      for (const [name, words] of Object.entries(searchedWords)) {
        const q = `q=${encodeURIComponent(words)}`;
        const first = await search(q);
        const columns = [q, `${q}&before=${first.next_cursor}`, `${q}&channel_id=${room.channelId}`];
        const cells: string[] = [];
        for (const query of columns) {
          cells.push(query.endsWith("null") ? "" : await timesOf(searches, () => search(query)));
        }
        reportRow([name, first.total, ...cells]);
      }
    }),
);

async function timesOf(count: number, operation: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  while (times.length < count) times.push(await timeOf(operation));
  const sorted = ascending(times);
  return `${percentile(sorted, 0.5).toFixed(0)} / ${percentile(sorted, 0.99).toFixed(0)}`;
}

/** Messages of one year, written in their order by two connections at once; indexes are made afterwards, as that is quicker. */
async function createSearchedServer({ pool }: BenchStack, messages: number): Promise<Room> {
  const room = await createRoom(pool, searchers);
  const [owner] = room.userIds;
  await insertIds(
    pool,
    "INSERT INTO servers (name, owner_id) SELECT 'other ' || n, $1 FROM generate_series(1, $2::int) n RETURNING id",
    owner,
    otherServers,
  );
  await pool.query(
    `INSERT INTO channels (server_id, name, position)
      SELECT id, 'c', n FROM servers, generate_series(1, CASE WHEN id = $1 THEN $2 - 1 ELSE $3 END) n`,
    [room.serverId, channels.large, channels.other],
  );
  await pool.query(
    `CREATE TABLE bench_channels AS SELECT id, server_id, server_id = '${room.serverId}' AS is_large,
        row_number() OVER (PARTITION BY server_id = '${room.serverId}' ORDER BY id) - 1 AS place FROM channels`,
  );
  const indexes = await dropIndexes(pool);
  await pool.query("ANALYZE");
  const { large, other } = channels;
  const insert = (part: number) =>
    pool.query(
      `INSERT INTO messages (id, channel_id, server_id, author_id, content)
        SELECT uuidv7(make_interval(secs => -($1 - n) * ${secondsOfMessages}::float8 / $1)), c.id, c.server_id, $2::uuid,
          (SELECT string_agg('w' || floor(exp(random() * ln(${vocabulary})))::integer, ' ')
            FROM generate_series(1, ${wordsOfMessage} + 0 * n))
        FROM generate_series($3::integer, $1::integer, 2) n
        JOIN bench_channels c ON c.is_large = (n / 2 % ${shareOfLarge} = 0)
          AND c.place = (n / ${2 * shareOfLarge}) % CASE WHEN n / 2 % ${shareOfLarge} = 0 THEN ${large} ELSE ${other * otherServers} END`,
      [messages, owner, part],
    );
  await Promise.all([insert(1), insert(2)]);
  for (const definition of indexes) await pool.query(definition);
  await pool.query("DROP TABLE bench_channels");
  await pool.query("VACUUM ANALYZE messages");
  return room;
}

/** Also the triggers of the table are off from then on. @returns the statements that make the indexes again */
async function dropIndexes(pool: pg.Pool): Promise<string[]> {
  await pool.query("ALTER TABLE messages DISABLE TRIGGER USER");
  const { rows } = await pool.query<{ indexdef: string; indexname: string }>(
    "SELECT indexdef, indexname FROM pg_indexes WHERE tablename = 'messages' AND indexname <> 'messages_pkey'",
  );
  for (const { indexname } of rows) await pool.query(`DROP INDEX ${indexname}`);
  return ["ALTER TABLE messages ENABLE TRIGGER USER", ...rows.map(({ indexdef }) => indexdef)];
}
