import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { shownText } from "@parley/message-text";
import { z } from "zod";
import { highlightOf } from "./highlight.js";

/** $1 texts, $2 the searched words. */
const highlightsStatement = defineStatement({
  name: "search_highlights",
  text: `SELECT ${highlightOf("shown.text")} AS highlight
    FROM unnest($1::text[]) WITH ORDINALITY AS shown (text, position) ORDER BY position`,
  row: z.object({ highlight: z.string() }),
});

/** A message that a search found, and the source of its highlight, if it may have spoilers. */
interface HighlightSource {
  id: string;
  highlight: string;
  text_with_bars: string | null;
}

/** The same hits with highlights of the text outside of their spoilers; a hit in a spoiler stays one. */
export async function withHiddenParts<H extends HighlightSource>(
  connection: Queryable,
  words: string,
  hits: readonly H[],
): Promise<H[]> {
  const hidden = new Map<string, string>();
  for (const { id, text_with_bars: text } of hits) {
    const shown = text === null ? null : shownText(text);
    if (shown !== null && shown !== text) hidden.set(id, shown);
  }
  if (hidden.size === 0) return [...hits];
  const rows = await connection.query(highlightsStatement, [[...hidden.values()], words]);
  const highlights = new Map([...hidden.keys()].map((id, index) => [id, rows[index]?.highlight ?? ""]));
  return hits.map((hit) => ({ ...hit, highlight: highlights.get(hit.id) ?? hit.highlight }));
}
