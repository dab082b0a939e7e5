import { forBoth } from "../core/kind.js";
import type { ProgramFilters, ResolvedFilters } from "./filters.js";

/** The filters of a search as the parameter of {@link filtersOf}. */
export function filterValue(
  filters: ResolvedFilters,
  viewerId: string,
  { author_type, without, newer_than, older_than }: ProgramFilters = {},
): string | null {
  const { from, mentions, has, is, since, until } = filters;
  const isOfProgram = [author_type, without, newer_than, older_than].some((each) => each !== undefined);
  const isNone = from === null && mentions === null && has.length + is.length === 0 && since === null && until === null;
  if (isNone && !isOfProgram) return null;
  return JSON.stringify({
    viewer: viewerId,
    from: from?.map(({ id }) => id) ?? null,
    mentions: mentions?.map(({ id }) => id) ?? null,
    ...{ has, is, since, until, author_type, without, newer_than, older_than },
  });
}

/**
 * SQL: whether a message `m` passes filters.
 *
 * @param value SQL of a parameter with {@link filterValue}, null for no filters
 */
export const filtersOf = (value: string) =>
  forBoth((prefix) => {
    const filters = `${value}::jsonb`;
    const isChannel = prefix === "";
    const ids = (name: string) => `ARRAY(SELECT jsonb_array_elements_text(${filters} -> '${name}')::uuid)`;
    const wants = (list: "has" | "is", name: string, condition: string) =>
      `(NOT ${filters} -> '${list}' ? '${name}' OR ${condition})
      AND (coalesce(${filters} -> 'without' ? '${list}:${name}', false) IS FALSE OR NOT ${condition})`;
    const isBot = "EXISTS (SELECT FROM bots b WHERE b.user_id = m.author_id)";
    const webhook = isChannel ? "WHEN m.webhook IS NOT NULL THEN 'webhook' " : "";
    const authorType = `CASE ${webhook}WHEN ${isBot} THEN 'bot' ELSE 'user' END`;
    const hasFile = (type: string) =>
      `EXISTS (SELECT FROM ${prefix}attachments a WHERE a.message_id = m.id AND a.mime_type LIKE '${type}')`;
    const ofChannels = (condition: string) => (isChannel ? condition : "false");
    const conditions = [
      `(${filters} -> 'from' = 'null' OR m.author_id = ANY (${ids("from")}))`,
      `(${filters} -> 'mentions' = 'null' OR ${ofChannels(`m.mention_user_ids && ${ids("mentions")}`)})`,
      `(${filters} -> 'since' = 'null' OR m.created_at >= (${filters} ->> 'since')::timestamptz)`,
      `(${filters} -> 'until' = 'null' OR m.created_at < (${filters} ->> 'until')::timestamptz)`,
      wants("has", "link", "(m.content ~* 'https?://')"),
      wants("has", "file", hasFile("%")),
      wants("has", "image", hasFile("image/%")),
      wants("has", "video", hasFile("video/%")),
      wants("has", "audio", hasFile("audio/%")),
      wants("has", "poll", ofChannels("EXISTS (SELECT FROM polls p WHERE p.message_id = m.id)")),
      wants(
        "has",
        "embed",
        ofChannels(
          "(m.embeds IS NOT NULL OR EXISTS (SELECT FROM message_previews v WHERE v.message_id = m.id AND v.previews <> '[]'))",
        ),
      ),
      wants("is", "pinned", ofChannels("m.pinned")),
      wants("is", "thread", ofChannels("(m.thread_id IS NOT NULL)")),
      wants(
        "is",
        "saved",
        `EXISTS (SELECT FROM saves s WHERE s.user_id = (${filters} ->> 'viewer')::uuid AND s.message_id = m.id)`,
      ),
      wants("is", "edited", "(m.edited_at IS NOT NULL)"),
      wants("is", "bot", `(${isBot}${isChannel ? " OR m.webhook IS NOT NULL" : ""})`),
      `(${filters} -> 'author_type' IS NULL OR ${filters} -> 'author_type' ? ${authorType})`,
      `(${filters} -> 'newer_than' IS NULL OR m.id > (${filters} ->> 'newer_than')::uuid)`,
      `(${filters} -> 'older_than' IS NULL OR m.id < (${filters} ->> 'older_than')::uuid)`,
    ];
    return `(${filters} IS NULL OR (${conditions.join("\n      AND ")}))`;
  });
