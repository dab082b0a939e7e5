/** Code, which is left as it is, and what is between. */
const pieces = /(```[\s\S]*?```|`[^`\n]+`)/;

const marks: readonly [pattern: RegExp, mark: string][] = [
  [/(^|[\s([{"'>])\*(?=\S)([^*\n]*[^\s*])\*(?=$|[\s)\]}"'<.,;:!?])/g, "**"],
  [/(^|[\s([{"'>*])_(?=\S)([^_\n]*[^\s_])_(?=$|[\s)\]}"'<.,;:!?*])/g, "*"],
  [/(^|[\s([{"'>*])~(?=\S)([^~\n]*[^\s~])~(?=$|[\s)\]}"'<.,;:!?*])/g, "~~"],
];

/** What stands in angle brackets: a link, a mention, a date, each with its label. */
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
const decode = (text: string) => text.replace(/&(?:amp|lt|gt);/g, (entity) => entities.get(entity) ?? entity);

function convertPlain(text: string): string {
  const marked = marks.reduce((out, [pattern, mark]) => out.replace(pattern, `$1${mark}$2${mark}`), text);
  return marked.replace(/<([^<>\n]+)>/g, (_, inner: string) => bracketed(inner));
}

/** Slack's markup as the markup of messages here. */
export function convertMarkup(text: string): string {
  const converted = text.split(pieces).map((piece, at) => (at % 2 === 1 ? piece : convertPlain(piece)));
  return decode(converted.join(""));
}
