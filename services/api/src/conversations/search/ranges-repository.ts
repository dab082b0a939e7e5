import type { SearchTerm } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { rangesOf, type Token, tokensOf } from "./ranges.js";
import type { CompiledTerms } from "./terms-repository.js";

/** $1 messages and $2 words of each, $3 the queries that each word is compared with. */
const formsStatement = defineStatement({
  name: "search_forms",
  text: `SELECT DISTINCT token.id, token.word, token.query
    FROM (SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[])) AS token (id, word, query)
    LEFT JOIN messages m ON m.id = token.id LEFT JOIN dm_messages d ON d.id = token.id
    WHERE search_words(token.word, coalesce(m.language, d.language, 'en')) @@ token.query::tsquery`,
  row: z.object({ id: z.string(), word: z.string(), query: z.string() }),
});

/** Letters that the forms of a word begin with: without them a word is not asked for. */
const sharedLetters = 2;

/** The ranges of each message's text that a search found. */
export async function findRanges(
  connection: Queryable,
  messages: readonly { id: string; content: string }[],
  { wanted }: CompiledTerms,
): Promise<Map<string, [number, number][]>> {
  const asked: { id: string; word: string; query: string }[] = [];
  for (const { id, content } of messages) {
    const tokens = tokensOf(content);
    for (const { term, query } of wanted) {
      const own = tokensOf(term.text);
      const [first] = own;
      if (term.isPhrase || first === undefined || own.length > 1) continue;
      const beginning = first.folded.slice(0, sharedLetters);
      for (const { written, folded } of tokens) {
        if (folded !== first.folded && folded.startsWith(beginning)) asked.push({ id, word: written, query });
      }
    }
  }
  const rows =
    asked.length === 0
      ? []
      : await connection.query(formsStatement, [
          asked.map(({ id }) => id),
          asked.map(({ word }) => word),
          asked.map(({ query }) => query),
        ]);
  const forms = new Set(rows.map(({ id, word, query }) => JSON.stringify([id, word, query])));
  const queryOf = new Map(wanted.map(({ term, query }) => [term, query]));
  return new Map(
    messages.map(({ id, content }) => {
      const isForm = ({ written }: Token, term: SearchTerm) =>
        forms.has(JSON.stringify([id, written, queryOf.get(term)]));
      return [
        id,
        rangesOf(
          content,
          wanted.map(({ term }) => term),
          isForm,
        ),
      ];
    }),
  );
}
