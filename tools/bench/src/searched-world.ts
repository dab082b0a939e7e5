import type pg from "pg";
import { insertIds, insertUsers } from "./world.js";

/** A language whose words are numbers in its letters; the number is the rank of the word, so 1 is the most frequent. */
export interface Script {
  name: string;
  language: string;
  prefix: string;
  /** For the digits from 0 to 9. */
  letters: string;
  blank: string;
}
export const scripts: readonly [Script, ...Script[]] = [
  { name: "Latin", language: "en", prefix: "x", letters: "bcdfghjklm", blank: " " },
  { name: "accents", language: "de", prefix: "ü", letters: "bcdfghjklm", blank: " " },
  { name: "Cyrillic", language: "ru", prefix: "ы", letters: "бвгджзклмн", blank: " " },
  { name: "Arabic", language: "ar", prefix: "ق", letters: "بتثجحخدذرز", blank: " " },
  { name: "Japanese", language: "ja", prefix: "", letters: "", blank: "" },
  { name: "French", language: "fr", prefix: "é", letters: "bcdfghjklm", blank: " " },
];

/** A script without blanks has thousands of letters: there a word is two of them, and letters of frequent words are frequent. */
const dense = { first: 19_968, second: 22_016, letters: 2_048 };

/** The word of a rank. */
export function wordOf({ prefix, letters }: Script, rank: number): string {
  if (letters !== "") return prefix + [...String(rank)].map((digit) => [...letters][Number(digit)]).join("");
  const codes = [dense.first + (rank % dense.letters), dense.second + Math.floor(rank / dense.letters)];
  return String.fromCodePoint(...codes);
}
/** The same in SQL, of a number `r`. */
const wordInSql = `CASE WHEN s.letters = '' THEN chr(${dense.first} + r % ${dense.letters}) || chr(${dense.second} + r / ${dense.letters})
  ELSE s.prefix || translate(r::text, '0123456789', s.letters) END`;

const wordsOfMessage = 12;
const vocabulary = 50_000;
const counts = { servers: 200, channelsOfServer: 5, serversOfWide: 50, people: 10, authors: 200 };
const secondsOfMessages = 365 * 24 * 3_600;

/** Messages of many servers, and people who are in one of them and in 50. */
export interface SearchedWorld {
  narrowPeople: readonly string[];
  widePeople: readonly string[];
  authorId: string;
  serverId: string;
  channelId: string;
}

/** Messages of one year in six languages, with everything that filters ask for; indexes are made afterwards, as that is quicker. */
export async function createSearchedWorld(pool: pg.Pool, messages: number): Promise<SearchedWorld> {
  const users = await insertUsers(pool, counts.authors + 2 * counts.people);
  const [owner = ""] = users;
  const servers = await insertIds(
    pool,
    "INSERT INTO servers (name, owner_id) SELECT 'searched ' || n, $1 FROM generate_series(1, $2::int) n RETURNING id",
    owner,
    counts.servers,
  );
  const widePeople = users.slice(-counts.people);
  const narrowPeople = users.slice(-2 * counts.people, -counts.people);
  await join(pool, servers.slice(0, 1), narrowPeople);
  await join(pool, servers.slice(0, counts.serversOfWide), widePeople);
  await pool.query(
    `INSERT INTO channels (server_id, name, position)
      SELECT id, 'c', n FROM unnest($1::uuid[]) AS id, generate_series(0, $2::int - 1) n`,
    [servers, counts.channelsOfServer],
  );
  await pool.query(
    "CREATE TABLE bench_channels AS SELECT id, server_id, row_number() OVER (ORDER BY server_id, position) - 1 AS place FROM channels",
  );
  const indexes = await dropIndexes(pool);
  await pool.query("ANALYZE");
  await Promise.all([0, 1].map((part) => insertMessages(pool, { users, messages, part })));
  for (const definition of indexes) await pool.query(definition);
  await pool.query("DROP TABLE bench_channels");
  await insertParts(pool, widePeople);
  await pool.query("VACUUM ANALYZE");
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM channels WHERE server_id = $1 LIMIT 1", [
    servers[0],
  ]);
  return {
    narrowPeople,
    widePeople,
    authorId: users[1] ?? "",
    serverId: servers[0] ?? "",
    channelId: rows[0]?.id ?? "",
  };
}

async function join(pool: pg.Pool, servers: readonly string[], people: readonly string[]): Promise<void> {
  for (const id of servers) {
    await pool.query("INSERT INTO members (server_id, user_id) SELECT $1, unnest($2::uuid[])", [id, people]);
  }
}

/** Every second message, from 0 or 1 on. */
async function insertMessages(
  pool: pg.Pool,
  { users, messages, part }: { users: readonly string[]; messages: number; part: number },
): Promise<void> {
  await pool.query(
    `INSERT INTO messages (id, channel_id, server_id, author_id, language, content, edited_at, mention_user_ids, embeds)
      SELECT uuidv7(make_interval(secs => -($1 - n) * ${secondsOfMessages}::float8 / $1)), c.id, c.server_id,
        ($2::uuid[])[1 + n / 7 % ${counts.authors}], s.language,
        (SELECT string_agg(${wordInSql}, s.blank)
          FROM (SELECT floor(exp(random() * ln(${vocabulary})))::integer + 0 * w AS r FROM generate_series(1, ${wordsOfMessage} + 0 * n) AS w) AS word) || CASE WHEN n % 20 = 0 THEN ' https://example.org/x' ELSE '' END,
        CASE WHEN n % 50 = 0 THEN now() END, CASE WHEN n % 30 = 0 THEN ARRAY[($2::uuid[])[2 + n / 30 % 5]] ELSE '{}' END,
        CASE WHEN n % 1000 = 0 THEN '[]'::jsonb END
      FROM generate_series($3::integer, $1::integer, 2) n
      JOIN unnest($4::text[], $5::text[], $6::text[], $7::text[]) WITH ORDINALITY AS s (language, prefix, letters, blank, place)
        ON s.place = 1 + n / 2 % ${scripts.length}
      JOIN bench_channels c ON c.place = (hashint4(n)::bigint + 2147483648) % ${counts.servers * counts.channelsOfServer}`,
    [
      ...[messages, users, part],
      ...[scripts.map(({ language }) => language), scripts.map(({ prefix }) => prefix)],
      ...[scripts.map(({ letters }) => letters), scripts.map(({ blank }) => blank)],
    ],
  );
}

/** Rows beside messages: files, polls, cards, pins, saved messages. */
async function insertParts(pool: pg.Pool, savers: readonly string[]): Promise<void> {
  const every = (number: number) => `messages m WHERE hashtext(m.id::text) % ${number} = 0`;
  for (const [type, number] of [
    ["image/png", 40],
    ["video/mp4", 400],
    ["audio/ogg", 800],
  ] as const) {
    await pool.query(
      `INSERT INTO attachments (message_id, filename, stored_name, file_size, mime_type)
        SELECT m.id, 'f', replace(gen_random_uuid()::text, '-', '') || '_f', 1, '${type}' FROM ${every(number)}`,
    );
  }
  await pool.query(`INSERT INTO polls (message_id, question) SELECT m.id, 'q' FROM ${every(700)}`);
  await pool.query(`INSERT INTO message_previews (message_id, previews) SELECT m.id, '[{}]' FROM ${every(60)}`);
  await pool.query(`UPDATE messages SET pinned = true, pinned_at = now() WHERE id IN (SELECT m.id FROM ${every(900)})`);
  await pool.query(
    `INSERT INTO saves (user_id, message_id) SELECT u, m.id FROM unnest($1::uuid[]) u, ${every(2_000)} ON CONFLICT DO NOTHING`,
    [savers],
  );
}

/** Each filter alone, and three together. */
export function filterQueries(world: SearchedWorld): [name: string, query: string][] {
  const { authorId, channelId, serverId } = world;
  const word = encodeURIComponent(wordOf(scripts[0], 1));
  const flags = ["link", "file", "image", "video", "audio", "poll", "embed"].map((each) => `has:${each}`);
  const states = ["pinned", "thread", "saved", "edited", "bot"].map((each) => `is:${each}`);
  const dates = ["before:7d", "after:7d", "on:30d"];
  return [
    ...[...flags, ...states, ...dates].map((filter): [string, string] => [filter, `q=${filter}`]),
    ["from:", `from=${authorId}`],
    ["mentions:", `mentions=${authorId}`],
    ["in:", `in=${channelId}`],
    ["server:", `server=${serverId}`],
    ["a frequent word from: has:link", `q=${word}%20has:link&from=${authorId}`],
    ["from: has:image is:edited", `q=has:image%20is:edited&from=${authorId}`],
    ["from: has:link after:30d", `q=has:link%20after:30d&from=${authorId}`],
  ];
}

/** @returns the statements that make the indexes again */
async function dropIndexes(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ indexdef: string; indexname: string }>(
    "SELECT indexdef, indexname FROM pg_indexes WHERE tablename = 'messages' AND indexname <> 'messages_pkey'",
  );
  for (const { indexname } of rows) await pool.query(`DROP INDEX ${indexname}`);
  return rows.map(({ indexdef }) => indexdef);
}
