/** SQL that escapes an expression for HTML, so that the marks are the only markup in a highlight. */
const escaped = (expression: string) =>
  [
    ["&", "&amp;"],
    ["<", "&lt;"],
    [">", "&gt;"],
    ['"', "&quot;"],
    ["''", "&#39;"],
  ].reduce((inner, [character, entity]) => `replace(${inner}, '${character}', '${entity}')`, expression);

/** SQL of what is looked for. */
export const words = "plainto_tsquery('english', $2)";

/** SQL of what is shown of a text: the words of $2 in marks, and the rest escaped. */
export const highlightOf = (text: string) =>
  `ts_headline('english', ${escaped(text)}, ${words} || plainto_tsquery('english', ${escaped("$2")}),
          'StartSel=<mark>, StopSel=</mark>')`;
