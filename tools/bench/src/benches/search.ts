import { bench } from "../bench.js";
import { ascending, percentile, report, reportHead, reportRow, timeOf } from "../measure.js";
import { createPoster } from "../poster.js";
import { familyCpuSeconds } from "../processes.js";
import { createSearchedWorld, filterQueries, type SearchedWorld, scripts, wordOf } from "../searched-world.js";
import { withStack } from "../stack.js";

/** Ranks of words: a word of rank n is in about 12 / (n × ln 50,000) of the messages of its script. */
const ranks = { frequent: 1, "one of a hundred": 100, rare: 20_000 };

/**
 * GET /search for people in one server and in 50 of 200: words of five scripts, each filter alone, three together, a phrase of
 * frequent words. Beside the times, what PostgreSQL's processor has to do for one search, which a busy machine does not change.
 */
export default bench(
  { sizes: { messages: 1_000_000, searches: 40 }, quick: { messages: 3_000, searches: 3 } },
  ({ messages, searches }) =>
    withStack({}, async (stack) => {
      const world = await createSearchedWorld(stack.pool, messages);
      reportSizes(await sizesOf(stack.pool));
      const send = createPoster((await stack.start("api")).url);
      let searched = 0;
      const search = async (people: readonly string[], query: string) => {
        searched += 1;
        const headers = stack.headers(people[searched % people.length] ?? "");
        return Object(await send(`/search?${query}`, {}, headers, "GET"));
      };
      const pid = stack.servers.postgres.pid();
      report(
        `p50 / p99 milliseconds of ${searches} searches among ${messages} messages, PostgreSQL's processor for one`,
      );
      reportHead(["search", "total", "in 1 server", "in 50 servers", "PostgreSQL, 50 servers"]);
      for (const [name, query] of queriesOf(world)) {
        const answer = await search(world.widePeople, query).catch(() => null);
        if (answer === null) {
          reportRow([name, "no answer in time", "", "", ""]);
          continue;
        }
        const { total } = answer;
        const narrow = await timesOf(searches, () => search(world.narrowPeople, query));
        const before = await familyCpuSeconds(pid);
        const wide = await timesOf(searches, () => search(world.widePeople, query));
        const each = ((await familyCpuSeconds(pid)) - before) / searches;
        reportRow([name, total, narrow, wide, `${(each * 1_000).toFixed(0)} ms`]);
      }
    }),
);

/** Names of searches with their queries. */
function queriesOf(world: SearchedWorld): [name: string, query: string][] {
  const q = (text: string) => `q=${encodeURIComponent(text)}`;
  const words = scripts
    .slice(0, 5)
    .flatMap((script) =>
      Object.entries(ranks).map(([name, rank]): [string, string] => [
        `${script.name}, ${name}`,
        q(wordOf(script, rank)),
      ]),
    );
  const [latin] = scripts;
  const [one, two] = [wordOf(latin, 1), wordOf(latin, 2)];
  return [
    ...words,
    ["two frequent words", q(`${one} ${two}`)],
    ["a phrase of frequent words", q(`"${one} ${two}"`)],
    ["a phrase of a frequent and a rare word", q(`"${one} ${wordOf(latin, 2_000)}"`)],
    ["in none", q("xqqqqq")],
    ...filterQueries(world).map(([name, query]): [string, string] => [name, query]),
  ];
}

async function timesOf(count: number, operation: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  while (times.length < count) times.push(await timeOf(operation));
  const sorted = ascending(times);
  return `${percentile(sorted, 0.5).toFixed(0)} / ${percentile(sorted, 0.99).toFixed(0)}`;
}

interface Sizes {
  table: number;
  words: number;
  index: number;
}

/** Bytes of the rows without their words, of these, and of the index of words. */
async function sizesOf(pool: { query(text: string): Promise<{ rows: unknown[] }> }): Promise<Sizes> {
  const { rows } = await pool.query(`SELECT (SELECT sum(pg_column_size(search)) FROM messages) AS words,
    pg_table_size('messages') AS table,
    (SELECT sum(pg_relation_size(indexrelid)) FROM pg_index JOIN pg_class c ON c.oid = indexrelid JOIN pg_am a ON a.oid = c.relam
      WHERE indrelid = 'messages'::regclass AND a.amname = 'gin' AND pg_get_indexdef(indexrelid) LIKE '%search%') AS index`);
  const { words, table, index } = Object(rows[0]);
  return { words: Number(words), table: Number(table) - Number(words), index: Number(index) };
}

function reportSizes({ table, words, index }: Sizes): void {
  const share = (bytes: number) => `${((100 * bytes) / table).toFixed(0)} %`;
  report(
    `rows ${(table / 1e6).toFixed(0)} MB without words; words ${share(words)} of it, their index ${share(index)}, both ${share(words + index)}`,
  );
}
