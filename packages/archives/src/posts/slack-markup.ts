/** Splits a text at its code, which the conversion leaves alone. */
const pieces = /(```[\s\S]*?```|`[^`\n]+`)/;

type Mark = readonly [pattern: RegExp, mark: string];
const [bold, slanted, struck]: readonly [Mark, Mark, Mark] = [
  [/(^|[\s([{"'>])\*(?=\S)([^*\n]*[^\s*])\*(?=$|[\s)\]}"'<.,;:!?])/g, "**"],
  [/(^|[\s([{"'>*])_(?=\S)([^_\n]*[^\s_])_(?=$|[\s)\]}"'<.,;:!?*])/g, "*"],
  [/(^|[\s([{"'>*])~(?=\S)([^~\n]*[^\s~])~(?=$|[\s)\]}"'<.,;:!?*])/g, "~~"],
];

const restyled = (text: string, marks: readonly Mark[]): string =>
  marks.reduce((out, [pattern, mark]) => out.replace(pattern, `$1${mark}$2${mark}`), text);

/** `*bold*` and `~struck~` of Slack and Rocket.Chat in Markdown; `_slanted_` is the same there. */
export const boldAndStruck = (text: string): string => restyled(text, [bold, struck]);

/** Converts the inside of angle brackets: a link, a mention, a date, each with its label. */
function bracketed(inner: string): string {
  const [target = "", label] = inner.split("|", 2);
  switch (target.charAt(0)) {
    case "!":
      if (/^!(everyone|channel)$/.test(target)) return "@everyone";
      return label ?? `@${target.slice(1).split("^")[0] ?? ""}`;
    case "@":
      return `@${label ?? target.slice(1)}`;
    case "#":
      return `#${label ?? target.slice(1)}`;
  }
  if (/^mailto:/i.test(target)) return label ?? target.slice("mailto:".length);
  return label === undefined || label === target ? target : `[${label}](${target})`;
}

const entities = new Map([
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
]);
/** Slack escapes three characters, once. */
export const decodeSlack = (text: string): string =>
  text.replace(/&(?:amp|lt|gt);/g, (entity) => entities.get(entity) ?? entity);

/** Characters without which a text has no markup. */
const marking = /[*_~<]/;

function convertPlain(text: string): string {
  if (!marking.test(text)) return text;
  return restyled(text, [bold, slanted, struck]).replace(/<([^<>\n]+)>/g, (_, inner: string) => bracketed(inner));
}

/** UTF-16 units of one text, and of all texts of a message, that are converted: a message shows a sixth of them. */
const unitsMax = 24_000;
const allUnitsMax = 60_000;

/** Makes the markup of messages here of Slack's, or of a text without markup. */
export type ConvertMarkup = (text: string, isPlain?: boolean) => string;

/** Converts the texts of one message, up to the length that a message can show. */
export function createConvertMarkup(convert: (text: string) => string = convertMarkup): ConvertMarkup {
  let left = allUnitsMax;
  return (text, isPlain = false) => {
    if (isPlain) return text;
    const given = text.slice(0, Math.min(unitsMax, left));
    left -= given.length;
    return convert(given);
  };
}

function convertMarkup(text: string): string {
  const converted = text.split(pieces).map((piece, at) => (at % 2 === 1 ? piece : convertPlain(piece)));
  return decodeSlack(converted.join(""));
}
