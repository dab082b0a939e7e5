import { InlineContext, type MarkdownConfig } from "@lezer/markdown";
import { mayDelimit } from "./bounds.js";
import { characterAt, characterBefore } from "./characters.js";
import { flanksOf, sidesOf } from "./flanks.js";

const tilde = 126;
/** Struck text has as many tildes on its left as on its right, one or two. */
const tildes = [
  { resolve: "Strikethrough", mark: "EmphasisMark" },
  { resolve: "Strikethrough", mark: "EmphasisMark" },
];
const delimiters: Readonly<Record<number, typeof InlineContext.emphasisAsterisk>> = {
  42: InlineContext.emphasisAsterisk,
  95: InlineContext.emphasisUnderscore,
};

/** Emphasis, strong and struck text, also in texts without blanks between words ({@link flanksOf}). */
export const emphasis: MarkdownConfig = {
  defineNodes: ["Strikethrough"],
  parseInline: [
    {
      name: "Emphasis",
      parse(context, next, from) {
        if (next !== tilde && delimiters[next] === undefined) return -1;
        let to = from + 1;
        while (context.char(to) === next) to += 1;
        const type = next === tilde ? tildes[to - from - 1] : delimiters[next];
        if (type === undefined || !mayDelimit(context)) return to;
        const flanks = flanksOf(characterBefore(context, from), characterAt(context, to));
        const { opens, closes } = sidesOf(String.fromCharCode(next), flanks);
        return context.addDelimiter(type, from, to, opens, closes);
      },
    },
  ],
};
