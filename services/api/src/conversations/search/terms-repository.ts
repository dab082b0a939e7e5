import type { SearchTerm } from "@parley/contracts";
import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import type { ResolvedFilters } from "./filters.js";

/** The terms of a query as PostgreSQL's queries, in text; null where nothing is asked for. */
export interface CompiledTerms {
  /** For messages with the words of their language, facts that filters ask for included. */
  words: string | null;
  /**
   * What the index is asked for: the wanted words of phrases in any order, forms of any language, and nothing that is excluded.
   * The index answers that exactly; of other queries every row would be compared again with all keys of places.
   */
  indexed: string | null;
  /** The same for ranks; empty without terms. */
  rank: string;
  /** For messages of before, which have English words alone. */
  before: string | null;
  /** Each term that messages must have. */
  wanted: readonly { term: SearchTerm; query: string }[];
}

/** $1 texts, $2 whether each is a phrase, $3 languages. */
const termsStatement = defineStatement({
  name: "search_terms",
  text: `SELECT query.words::text, query.indexed::text, query.rank::text, (CASE WHEN is_phrase THEN phraseto_tsquery('english', search_text(written))
        ELSE plainto_tsquery('english', search_text(written)) END)::text AS before
    FROM unnest($1::text[], $2::boolean[]) WITH ORDINALITY AS term (written, is_phrase, position),
      search_query(written, is_phrase, $3) AS query ORDER BY position`,
  row: z.object({ words: z.string(), indexed: z.string(), rank: z.string(), before: z.string() }),
});

/** The facts of people as the words of messages have them. */
const peopleStatement = defineStatement({
  name: "search_facts",
  text: "SELECT quote_literal(search_person($2, id)) AS fact FROM unnest($1::uuid[]) AS id",
  row: ({ fact }: RawRow) => String(fact),
});

/**
 * @param query.languages whose forms of the words count
 * @param query.isEnglish whether words are left out that English leaves out
 */
export async function compileTerms(
  connection: Queryable,
  query: { terms: readonly SearchTerm[]; filters: ResolvedFilters; languages: readonly string[]; isEnglish?: boolean },
): Promise<CompiledTerms> {
  const { terms, filters, languages, isEnglish = false } = query;
  const spelled = terms.flatMap((term) => spellingsOf(term.text).map((text) => ({ term, text })));
  const values = [spelled.map(({ text }) => text), spelled.map(({ term }) => term.isPhrase), languages];
  const rows = terms.length === 0 ? [] : await connection.query(termsStatement, values);
  const compiled = terms.flatMap((term) => {
    const [own, ...others] = rows.filter((_, at) => spelled[at]?.term === term);
    if (own === undefined || own.words === "" || (isEnglish && own.before === "")) return [];
    const either = (key: keyof typeof own) =>
      own[key] === "" ? "" : [own, ...others].flatMap((row) => row[key] || []).join(" | ");
    return [
      { term, query: either("words"), indexed: either("indexed"), rank: either("rank"), before: either("before") },
    ];
  });
  const signed = (query: string, { isExcluded }: SearchTerm) => (isExcluded ? `!(${query})` : `(${query})`);
  const facts = await factsOf(connection, filters);
  const wanted = compiled.filter(({ term }) => !term.isExcluded);
  const words = compiled.map(({ term, query }) => signed(query, term));
  const indexed = [...wanted.map(({ indexed }) => `(${indexed})`), ...facts];
  const rank = compiled.map(({ term, rank }) => signed(rank, term));
  // Of words that English leaves out, messages of before have none.
  const before = compiled.flatMap(({ term, before }) => (before === "" ? [] : [signed(before, term)]));
  const all = [...words, ...facts];
  return {
    words: all.length === 0 ? null : all.join(" & "),
    indexed: indexed.length === 0 ? null : indexed.join(" & "),
    rank: rank.join(" & "),
    before: words.length === 0 ? null : before.join(" & "),
    wanted,
  };
}

/** A text as it is written, first, and with its joined letters apart and together: words of messages have them as they are written. */
function spellingsOf(text: string): string[] {
  const apart = text.replace(/œ/giu, "oe").replace(/æ/giu, "ae");
  const together = apart.replace(/oe/giu, "œ").replace(/ae/giu, "æ");
  return [...new Set([text, apart, together])];
}

async function factsOf(connection: Queryable, { from, mentions, has, is }: ResolvedFilters): Promise<string[]> {
  const facts: string[] = [];
  for (const [sign, people] of [
    ["@", from],
    [">", mentions],
  ] as const) {
    if (people === null) continue;
    const found = await connection.query(peopleStatement, [people.map(({ id }) => id), sign]);
    if (found.length > 0) facts.push(`(${found.join(" | ")})`);
  }
  if (has.includes("link")) facts.push("':link'");
  if (is.includes("thread")) facts.push("':thread'");
  return facts;
}
