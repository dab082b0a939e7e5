import type { ResolvedFilters } from "./filters.js";

/** SQL of the ids of messages by a filter that few messages pass; `within` limits a column with ids to a span of time. */
const sources = {
  "is:saved": (within: Within, { filters }: Values) =>
    `SELECT s.message_id FROM saves s WHERE s.user_id = (${filters}::jsonb ->> 'viewer')::uuid AND ${within("s.message_id")}`,
  "is:pinned": (within: Within, { channels }: Values) =>
    `SELECT p.id FROM messages p WHERE p.channel_id = ANY (${channels}::uuid[]) AND p.pinned AND NOT p.deleted AND ${within("p.id")}`,
  "has:poll": (within: Within) => `SELECT p.message_id FROM polls p WHERE ${within("p.message_id")}`,
  "has:video": (within: Within) => attached("video/%", within),
  "has:audio": (within: Within) => attached("audio/%", within),
  "has:embed": (within: Within) =>
    `SELECT v.message_id FROM message_previews v WHERE ${within("v.message_id")}
      UNION ALL SELECT e.id FROM messages e WHERE e.embeds IS NOT NULL AND ${within("e.id")}`,
  "is:bot": (within: Within, { first, end }: Values) =>
    `SELECT a.id FROM bots b JOIN messages a ON a.author_id = b.user_id
        AND a.created_at >= uuid_extract_timestamp(${first}::uuid) AND a.created_at < uuid_extract_timestamp(${end}::uuid)
      UNION ALL SELECT w.id FROM messages w WHERE w.webhook IS NOT NULL AND ${within("w.id")}`,
  "is:edited": (within: Within) => `SELECT e.id FROM messages e WHERE e.edited_at IS NOT NULL AND ${within("e.id")}`,
  "has:image": (within: Within) => attached("image/%", within),
  "has:file": (within: Within) => attached("%", within),
};
/** SQL of what a source may depend on. */
interface Values {
  filters: string;
  channels: string;
  /** The smallest ids of the span, and of what comes after it. */
  first: string;
  end: string;
}
type Within = (column: string) => string;

const attached = (type: string, within: Within) =>
  `SELECT a.message_id FROM attachments a WHERE a.mime_type LIKE '${type}' AND ${within("a.message_id")}`;

/** A filter whose messages have an index of their own. */
export type Source = keyof typeof sources;
export const sourceNames = Object.keys(sources) as Source[];

/** The source that leads to the fewest messages, by the order above; null where every message has to be looked at. */
export function sourceOf({ has, is }: ResolvedFilters): Source | null {
  const asked = new Set<string>([...has.map((name) => `has:${name}`), ...is.map((name) => `is:${name}`)]);
  return sourceNames.find((name) => asked.has(name)) ?? null;
}

/** SQL: whether a message `m` comes from a source. */
export const isFrom = (source: Source, values: Values) =>
  `m.id IN (${sources[source]((id) => `${id} >= ${values.first}::uuid AND ${id} < ${values.end}::uuid`, values)})`;
