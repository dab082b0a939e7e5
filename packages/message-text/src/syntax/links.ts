import { type DelimiterType, type Element, InlineContext, type MarkdownConfig } from "@lezer/markdown";
import { normalizeIdentifier } from "micromark-util-normalize-identifier";

/** The addresses that a text defines for its references, and its footnotes, by their normalized labels. */
export interface Definitions {
  links: ReadonlyMap<string, string>;
  footnotes: ReadonlySet<string>;
}

const bracketedDestination = /<(?:[^<>\n\\]|\\.)*>/y;
const title = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\((?:[^()\\]|\\[\s\S])*\)/y;
const label = /\[((?:[^[\]\\]|\\[\s\S]){1,999})\]/y;
const footnoteLabel = /\[\^((?:[^\s[\]\\]|\\[\s\S]){1,999})\]/y;
const escapable = /[!-/:-@[-`{-~]/;
const [backslash, opening, closing] = [92, 40, 41];
/** As CommonMark's reference implementation. */
const parenthesesMax = 32;

const matchAt = (pattern: RegExp, text: string, place: number): RegExpExecArray | null => {
  pattern.lastIndex = place;
  return pattern.exec(text);
};

const { linkStart, imageStart } = InlineContext;

/** Links, pictures and footnotes; a reference is one only where the text defines its label. */
export const linksOf = (definitions: Definitions): MarkdownConfig => ({
  defineNodes: ["FootnoteReference"],
  parseInline: [
    {
      name: "FootnoteReference",
      before: "Link",
      parse(context, next, from) {
        if (next !== 91 || definitions.footnotes.size === 0) return -1;
        const [whole = "", name = ""] = matchAt(footnoteLabel, context.text, from - context.offset) ?? [];
        if (!definitions.footnotes.has(normalizeIdentifier(name))) return -1;
        return context.addElement(context.elt("FootnoteReference", from, from + whole.length));
      },
    },
    {
      name: "LinkEnd",
      parse: (context, next, from) => (next === 93 ? endLink(context, from, definitions) : -1),
    },
  ],
});

/** The brackets that may not begin a link any more, as one stands behind them: links are not nested. */
const inactive = new WeakSet<object>();

interface Opener {
  index: number;
  from: number;
  to: number;
  type: DelimiterType;
}

function endLink(context: InlineContext, place: number, definitions: Definitions): number {
  const index = Math.max(context.findOpeningDelimiter(linkStart) ?? -1, context.findOpeningDelimiter(imageStart) ?? -1);
  const opener = index < 0 ? null : context.getDelimiterAt(index);
  if (opener === null) return -1;
  const target = inactive.has(opener) ? null : targetOf(context, opener, place, definitions);
  if (target === null) {
    // It is text from here on: no later bracket belongs to it.
    Object.assign(opener, { side: 0 });
    return -1;
  }
  return finishLink(context, { ...opener, index }, place, target);
}

function finishLink(context: InlineContext, opener: Opener, place: number, target: Target): number {
  const isLink = opener.type === linkStart;
  const content = context.takeContent(opener.index);
  for (let index = 0; isLink && index < opener.index; index += 1) {
    const before = context.getDelimiterAt(index);
    if (before?.type === linkStart) inactive.add(before);
  }
  const marks = [
    context.elt("LinkMark", opener.from, opener.to),
    ...content,
    context.elt("LinkMark", place, place + 1),
    ...target.parts,
  ];
  return context.addElement(context.elt(isLink ? "Link" : "Image", opener.from, target.to, marks));
}

/** Where a link ends, and its parts: a `URL`, or the `LinkLabel` of its definition, which may also be its text. */
interface Target {
  to: number;
  parts: Element[];
}

function targetOf(
  context: InlineContext,
  opener: { from: number; to: number },
  place: number,
  { links }: Definitions,
): Target | null {
  const { text, offset } = context;
  const behind = place + 1;
  const resource = context.char(behind) === 40 ? resourceAt(context, behind) : null;
  if (resource !== null) return resource;
  if (links.size === 0) return null;
  const reference = context.char(behind) === 91 ? matchAt(label, text, behind - offset) : null;
  const isCollapsed = context.slice(behind, behind + 2) === "[]";
  const end = reference === null ? (isCollapsed ? behind + 2 : behind) : behind + reference[0].length;
  const name = reference === null ? { from: opener.to, to: place } : { from: behind + 1, to: end - 1 };
  if (!links.has(normalizeIdentifier(context.slice(name.from, name.to)))) return null;
  return { to: end, parts: reference === null ? [] : [context.elt("LinkLabel", name.from, name.to)] };
}

/** The `(address "title")` of a link; null where there is none. */
function resourceAt(context: InlineContext, from: number): Target | null {
  const { text, offset } = context;
  const start = context.skipSpace(from + 1);
  const length = destinationLength(text, start - offset);
  if (length === null) return null;
  let to = context.skipSpace(start + length);
  if (to > start + length && length > 0) {
    const found = matchAt(title, text, to - offset);
    if (found !== null) to = context.skipSpace(to + found[0].length);
  }
  if (context.char(to) !== 41) return null;
  return { to: to + 1, parts: [context.elt("URL", start, start + length)] };
}

function destinationLength(text: string, start: number): number | null {
  if (text[start] === "<") return matchAt(bracketedDestination, text, start)?.[0].length ?? null;
  let depth = 0;
  let place = start;
  for (; place < text.length; place += 1) {
    const character = text.charCodeAt(place);
    if (character <= 32 || character === 127) break;
    if (character === backslash) place += escapable.test(text[place + 1] ?? "") ? 1 : 0;
    else if (character === opening && ++depth > parenthesesMax) return null;
    else if (character === closing && depth-- === 0) break;
  }
  return depth > 0 ? null : place - start;
}
