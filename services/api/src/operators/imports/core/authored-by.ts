/**
 * SQL of the words of a message with another author among its facts (docs/protocol/search.md#35.1), which no trigger writes when
 * the author alone changes. Null where the message has no words yet.
 */
export const authoredBy = (message: string, author: string): string =>
  `coalesce(ts_delete(${message}.search, search_person('@', ${message}.author_id)), ${message}.search) || array_to_tsvector(ARRAY[search_person('@', ${author})])`;
