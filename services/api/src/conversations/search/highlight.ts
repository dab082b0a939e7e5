/** SQL that escapes an expression for HTML, so that the marks are the only markup in a highlight. */
const escaped = (expression: string) =>
  [
    ["&", "&amp;"],
    ["<", "&lt;"],
    [">", "&gt;"],
    ['"', "&quot;"],
    ["''", "&#39;"],
  ].reduce((inner, [character, entity]) => `replace(${inner}, '${character}', '${entity}')`, expression);

/** SQL of the searched words, made from the same text as the words of messages. */
const words = "plainto_tsquery('english', search_text($2))";

/** The same, and the query as it was written: the shown text has words with their signs and accents. */
const asWritten = `CASE WHEN ${words} = plainto_tsquery('english', $2) THEN ${words}
            ELSE ${words} || plainto_tsquery('english', $2) END`;

/** SQL of a text's highlight: the words of $2 in marks, and the rest escaped. */
export const highlightOf = (text: string) =>
  `ts_headline('english', ${escaped(text)},
          (${asWritten}) || plainto_tsquery('english', ${escaped("$2")}),
          'StartSel=<mark>, StopSel=</mark>')`;
