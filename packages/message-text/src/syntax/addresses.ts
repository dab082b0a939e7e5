import { InlineContext, type MarkdownConfig } from "@lezer/markdown";
import { characterBefore } from "./characters.js";

const webAddress = /https?:\/\/(\[[\da-f:.]+\]|(?![\p{P}\p{S}\p{Cc}])[^\s<]?(?:[^\s\p{P}\p{S}]|[-._])*)/iuy;
const wwwAddress = /www\.((?:[^\s\p{P}\p{S}]|[-._])*)/iuy;
const mailAddress = /[\w.+-]+@[\w-]+(?:\.[a-z\d][\w-]*)+/iy;
const bracketedAddress = /<(?:[a-z][a-z\d+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d-]+(?:\.[a-z\d-]+)*)>/iy;
const restOfAddress = /(?:(?!\|\|)[^\s<])*/y;
/** Ends a sentence rather than an address. */
const trailing = /[!"'*,.:?~\]]/;

const matchAt = (pattern: RegExp, text: string, place: number): RegExpExecArray | null => {
  pattern.lastIndex = place;
  return pattern.exec(text);
};

/** Whether an address in angle brackets begins at a place of the text. */
export const isBracketedAddress = (text: string, place: number): boolean =>
  matchAt(bracketedAddress, text, place) !== null;

/** Addresses that are links as they are written: of the web, of mail, and any in angle brackets. */
export const addresses: MarkdownConfig = {
  defineNodes: ["Address"],
  parseInline: [
    {
      name: "MailAddress",
      before: "Escape",
      parse(context, next, from) {
        if (!/[\w.+-]/.test(String.fromCharCode(next)) || /[\w.+/-]/.test(characterBefore(context, from))) return -1;
        const [address] = matchAt(mailAddress, context.text, from - context.offset) ?? [];
        if (address === undefined || !/[a-z]$/i.test(address)) return -1;
        return context.addElement(context.elt("Address", from, from + address.length));
      },
    },
    {
      name: "WebAddress",
      before: "Escape",
      parse(context, next, from) {
        const sign = String.fromCharCode(next).toLowerCase();
        if (sign !== "h" && sign !== "w") return -1;
        const length = addressLength(context, from, sign === "h" ? webAddress : wwwAddress);
        return length === 0 ? -1 : context.addElement(context.elt("Address", from, from + length));
      },
    },
    {
      name: "BracketedAddress",
      before: "Link",
      parse(context, next, from) {
        if (next !== 60) return -1;
        const [address] = matchAt(bracketedAddress, context.text, from - context.offset) ?? [];
        if (address === undefined) return -1;
        return context.addElement(context.elt("Autolink", from, from + address.length));
      },
    },
  ],
};

function addressLength(context: InlineContext, from: number, pattern: RegExp): number {
  const before = characterBefore(context, from);
  if (pattern === webAddress ? /[a-z]/i.test(before) : !/^[\s\p{P}\p{S}]?$/u.test(before)) return 0;
  const { text, offset } = context;
  const found = matchAt(pattern, text, from - offset);
  if (found === null || !isHost(found[1] ?? "")) return 0;
  const [rest = ""] = matchAt(restOfAddress, text, from - offset + found[0].length) ?? [];
  const whole = found[0] + rest;
  const address = context.hasOpenLink ? beforeClosingBracket(whole) : whole;
  const isEmphasized = before === "_" || context.findOpeningDelimiter(InlineContext.emphasisUnderscore) !== null;
  const shown = withoutTrail(address, isEmphasized);
  return shown.length > found[0].length - (found[1] ?? "").length ? shown.length : 0;
}

/** The last two labels of a host contain no underscore. */
const isHost = (host: string): boolean =>
  host !== "" &&
  !host
    .replace(/[._]+$/, "")
    .split(".")
    .slice(-2)
    .some((label) => label.includes("_"));

/** An address in the label of a link ends with the label. */
function beforeClosingBracket(address: string): string {
  let depth = 0;
  for (let place = 0; place < address.length; place += 1) {
    if (address[place] === "[") depth += 1;
    else if (address[place] === "]" && depth-- === 0) return address.slice(0, place);
  }
  return address;
}

/** An address without the characters that end its sentence: punctuation, and brackets that were opened before it. */
function withoutTrail(address: string, isEmphasized: boolean): string {
  let surplus = count(address, ")") - count(address, "(");
  let end = address.length;
  for (;;) {
    const last = address[end - 1] ?? "";
    if (last === ")" && surplus > 0) surplus -= 1;
    else if (last === ";") end -= (/&[a-z]+;$/i.exec(address.slice(Math.max(0, end - 40), end))?.[0].length ?? 1) - 1;
    else if (!trailing.test(last) && !(last === "_" && isEmphasized)) return address.slice(0, end);
    end -= 1;
  }
}

const count = (text: string, character: string): number => text.split(character).length - 1;
