import { matchesCountedMax } from "./limits.js";

/** SQL of the key by which the indexes find messages: a server or a channel, in the 36 hours that begin at a time. */
const searchKey = (start: string, place: string) => `timestamptz_send(${start}) || uuid_send(${place})`;
const startOfMessage = "date_bin('36 hours', m.created_at, timestamptz 'epoch')";
export const searchKeys = `ARRAY[${searchKey(startOfMessage, "m.server_id")}, ${searchKey(startOfMessage, "m.channel_id")}]`;
export const periodSeconds = 36 * 3_600;

/** The 36 hours that an instant is in, counted from the epoch. */
export const periodOf = (at: Date): number => Math.floor(at.getTime() / (periodSeconds * 1_000));

/** SQL of the keys of places in the periods from the first until the last one. */
export const keysOf = ({ first, last, places }: { first: string; last: string; places: string }) =>
  `ARRAY(
            SELECT ${searchKey("timestamptz 'epoch' + period * interval '36 hours'", "place")}
            FROM generate_series(${first}, ${last}) AS period, unnest(${places}) AS place)`;

const withEmbeds = "m.embed_texts IS NOT NULL";
const ownWords = "m.search";
const wordsWithEmbeds = "to_tsvector('english'::regconfig, m.content || ' ' || m.embed_texts)";
/** Messages with words beside signs, in other scripts and with accents, which the English parser does not find. */
const wholeText = "m.content || coalesce(' ' || m.embed_texts, '')";
const withMore = `has_search_text(${wholeText})`;
const wordsWithMore = `to_tsvector('english'::regconfig, search_text(${wholeText}))`;

/** Messages of before, without words of their language: the kinds that have indexes of their own. */
export const kindsOfBefore = [
  { are: `m.language IS NULL AND NOT (${withEmbeds}) AND NOT ${withMore}`, search: ownWords },
  { are: `m.language IS NULL AND ${withEmbeds} AND NOT ${withMore}`, search: wordsWithEmbeds },
  { are: `m.language IS NULL AND ${withMore}`, search: wordsWithMore },
];
/** The words of a message of before. */
export const wordsOfBefore = `CASE WHEN ${withMore} THEN ${wordsWithMore} WHEN ${withEmbeds} THEN ${wordsWithEmbeds} ELSE ${ownWords} END`;
/** As the index of direct messages of before has it. */
export const directWordsOfBefore = "to_tsvector('english'::regconfig, search_text(m.content))";

/** Into how many spans of one length the time between the first and the last message is divided, at least. */
const longestSpans = 16;

/**
 * SQL of common table expressions, the last of them `matched`: the newest matches, up to as many as are counted. They
 * are read span by span, from the newest messages back in time, each twice as long as the one before, until there are
 * enough: so neither a word in every message costs more than the counted matches, nor a word in a few of a million. The
 * loop over the spans keeps their order.
 *
 * @param options.kinds kinds of messages whose words have indexes of their own: SQL of the condition, and for those that
 * match by words, of their words and of the query
 * @param options.channels SQL of the channels' ids
 * @param options.places SQL of the ids by which they are found: those of the channels, or that of their server
 */
export function newestMatches(options: {
  kinds: readonly { are: string; search?: string; words?: string }[];
  channels: string;
  places: string;
}): string {
  const { kinds, channels, places } = options;
  const end = (order: string) =>
    `(SELECT created_at FROM messages WHERE channel_id = c.id AND listed = l.is_listed
          ORDER BY created_at ${order}, id ${order} LIMIT 1)`;
  const keys = keysOf({ first: "spans.first", last: "spans.last", places });
  const matches = kinds.map(
    ({ are, search, words }) => `SELECT m.ctid AS row, m.id, m.created_at, m.channel_id FROM messages m
          WHERE ${searchKeys} && ${keys} ${search === undefined ? "" : `AND ${search} @@ ${words}`} AND NOT m.deleted AND ${are}`,
  );
  return `ends AS (
      SELECT floor(extract(epoch FROM min(e.created_at)) / ${periodSeconds})::integer AS oldest,
        floor(extract(epoch FROM max(e.created_at)) / ${periodSeconds})::integer AS newest
      FROM unnest(${channels}) AS c (id) CROSS JOIN unnest(ARRAY[true, false]) AS l (is_listed)
        CROSS JOIN LATERAL (${end("ASC")} UNION ALL ${end("DESC")}) AS e),
    spans (first, last, oldest, longest) AS (
      SELECT newest, newest, oldest, greatest((newest - oldest) / ${longestSpans}, 1) FROM ends WHERE newest IS NOT NULL
      UNION ALL
      SELECT greatest(first - least(2 * (last - first + 1), longest), oldest), first - 1, oldest, longest
      FROM spans WHERE first > oldest),
    matched AS MATERIALIZED (
      SELECT found.* FROM spans CROSS JOIN LATERAL (
        SELECT m.row, m.id, m.created_at FROM (${matches.join(" UNION ALL ")} OFFSET 0) AS m
        WHERE m.channel_id = ANY (${channels})
        ORDER BY m.created_at DESC, m.id DESC LIMIT ${matchesCountedMax}) AS found
      LIMIT ${matchesCountedMax})`;
}
