import { defineStatement } from "@parley/database";
import type { Queryable, Server } from "@parley/database/prisma";
import { z } from "zod";
import type { BrowseQuery } from "./schema.js";

/** Public servers with members who are not offline; it reads the memberships of these members alone. */
const onlineStatement = defineStatement({
  name: "browse_online",
  text: `SELECT m.server_id AS id, count(*)::integer AS online
    FROM users u CROSS JOIN LATERAL (SELECT server_id FROM members WHERE user_id = u.id OFFSET 0) m
    JOIN servers s ON s.id = m.server_id AND s.is_public AND s.listed
    WHERE u.status <> 'offline' GROUP BY m.server_id`,
  row: z.object({ id: z.string(), online: z.int() }),
});

/** The members who are not offline, of the public servers that have some. */
export async function countOnline(connection: Queryable): Promise<ReadonlyMap<string, number>> {
  return new Map((await connection.query(onlineStatement, [])).map(({ id, online }) => [id, online]));
}

const keys = {
  members: "s.member_count::bigint",
  active: "coalesce(o.online, 0)::bigint",
  new: "(extract(epoch FROM s.created_at) * 1000)::bigint",
} as const satisfies Record<BrowseQuery["sort"], string>;

const pageStatement = (sort: BrowseQuery["sort"], hasWords: boolean) =>
  defineStatement({
    name: `browse_${sort}${hasWords ? "_words" : ""}`,
    text: `SELECT * FROM (
        SELECT s.id, s.featured, ${keys[sort]} AS key
        FROM servers s LEFT JOIN unnest($1::uuid[], $2::integer[]) o (id, online) ON o.id = s.id
        WHERE s.is_public AND s.listed
          AND ($3::text IS NULL OR s.tags @> ARRAY[$3::text])
          AND ($4::text IS NULL OR s.language = $4 OR starts_with(s.language, $4 || '-'))
          ${hasWords ? "AND server_words(s.name, s.description, s.tags) @@ to_tsquery('simple'::regconfig, $9)" : ""}) f
      WHERE $5::boolean IS NULL OR (featured, key, id) < ($5, $6::bigint, $7::uuid)
      ORDER BY featured DESC, key DESC, id DESC LIMIT $8`,
    row: z.object({ id: z.string(), featured: z.boolean(), key: z.coerce.number() }),
    isPlannedEachTime: hasWords,
  });
const pages = {
  all: {
    members: pageStatement("members", false),
    active: pageStatement("active", false),
    new: pageStatement("new", false),
  },
  words: {
    members: pageStatement("members", true),
    active: pageStatement("active", true),
    new: pageStatement("new", true),
  },
};

const wordsStatement = defineStatement({
  name: "browse_words",
  text: "SELECT tsvector_to_array(server_words($1, NULL, '{}')) AS words",
  row: z.object({ words: z.array(z.string()) }),
});

/** A server of a page, and its place. */
export interface FoundRow {
  server: Server;
  featured: boolean;
  key: number;
}

/**
 * Public servers by words and beginnings of words, a tag and a language.
 *
 * @param online the members who are not offline, by server
 * @param limit one more than a page has, for the caller to know whether there is a next one
 */
export async function findListed(
  connection: Queryable,
  query: BrowseQuery,
  { online, limit }: { online: ReadonlyMap<string, number>; limit: number },
): Promise<FoundRow[]> {
  const words = query.q === undefined ? null : await readWords(connection, query.q);
  // Signs alone find nothing; blanks are no search.
  if (words !== null && words.length === 0 && query.q?.trim() !== "") return [];
  const { after } = query;
  const counts = query.sort === "active" ? online : new Map<string, number>();
  const values = [
    [...counts.keys()],
    [...counts.values()],
    query.tag ?? null,
    query.language ?? null,
    after?.featured ?? null,
    after?.key ?? null,
    after?.id ?? null,
    limit,
  ];
  const hasWords = words !== null && words.length > 0;
  const statement = pages[hasWords ? "words" : "all"][query.sort];
  const asked = hasWords ? [words.map((word) => `'${word.replaceAll("'", "''")}':*`).join(" & ")] : [];
  const rows = await connection.query(statement, [...values, ...asked]);
  const servers = await connection.prisma.server.findMany({ where: { id: { in: rows.map(({ id }) => id) } } });
  const byId = new Map(servers.map((server) => [server.id, server]));
  return rows.flatMap(({ id, ...place }) => {
    const server = byId.get(id);
    return server === undefined ? [] : [{ server, ...place }];
  });
}

/** The words of a search, as those of servers are read. */
async function readWords(connection: Queryable, q: string): Promise<string[]> {
  const [row] = await connection.query(wordsStatement, [q]);
  return row?.words ?? [];
}
