import type { MarkdownConfig } from "@lezer/markdown";

const escapable = /[!-/:-@[-`{-~]/;
const nameCharacter = /[A-Za-z0-9_-]/;

/** Two blanks and the end of a line; looked for once for all the blanks in a row. */
const blanksAtLineEnd = / {2,}\n/y;

/**
 * A backslash takes the meaning of the next character, but for a mention, which needs no Markdown. At the end of a line it
 * means nothing: lines of a message end where they do in the text.
 */
export const backslashes: MarkdownConfig = {
  parseInline: [
    {
      name: "Escape",
      parse(context, next, from) {
        if (next !== 92) return -1;
        const [character = "", after = ""] = context.slice(from + 1, from + 3);
        if (!escapable.test(character) || (character === "@" && nameCharacter.test(after))) return -1;
        return context.addElement(context.elt("Escape", from, from + 2));
      },
    },
    {
      name: "HardBreak",
      parse(context, next, from) {
        if (next !== 32 || context.char(from - 1) === 32) return -1;
        blanksAtLineEnd.lastIndex = from - context.offset;
        const [blanks] = blanksAtLineEnd.exec(context.text) ?? [];
        return blanks === undefined ? -1 : context.addElement(context.elt("HardBreak", from, from + blanks.length));
      },
    },
  ],
};
