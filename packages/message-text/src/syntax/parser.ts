import { parser as commonMark, type MarkdownParser, Table, TaskList } from "@lezer/markdown";
import { addresses } from "./addresses.js";
import { backslashes } from "./backslash-syntax.js";
import { emphasis } from "./emphasis.js";
import { footnotes } from "./footnotes.js";
import { type Definitions, linksOf } from "./links.js";
import { marks, mentionsWith } from "./marks.js";

/**
 * The syntax of messages: CommonMark with the tables, tasks, footnotes and struck text of GitHub, and with mentions, channels,
 * custom emoji and spoilers. HTML is text.
 */
const withoutDefinitions = commonMark.configure([
  { remove: ["HTMLBlock", "HTMLTag"] },
  Table,
  TaskList,
  backslashes,
  emphasis,
  marks,
  addresses,
  footnotes,
  linksOf({ links: new Map(), footnotes: new Set() }),
]);

/** Most lists of role names whose parser is kept. */
const roleParsersMax = 50;
const roleParsers = new Map<string, MarkdownParser>();

function parserWithRoles(roleNames: readonly string[]): MarkdownParser {
  if (roleNames.length === 0) return withoutDefinitions;
  const key = roleNames.join("\n");
  const known = roleParsers.get(key);
  if (known !== undefined) return known;
  if (roleParsers.size === roleParsersMax) roleParsers.clear();
  const parser = withoutDefinitions.configure({ parseInline: [mentionsWith(roleNames)] });
  roleParsers.set(key, parser);
  return parser;
}

/**
 * @param definitions the text's definitions, which its references need
 * @param roleNames the roles that it may mention, the longest name first
 */
export function parserFor(definitions: Definitions, roleNames: readonly string[]): MarkdownParser {
  const parser = parserWithRoles(roleNames);
  return definitions.links.size + definitions.footnotes.size === 0 ? parser : parser.configure(linksOf(definitions));
}
