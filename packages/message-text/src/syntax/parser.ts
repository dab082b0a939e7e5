import { parser as commonMark, type MarkdownParser, Table, TaskList } from "@lezer/markdown";
import { addresses } from "./addresses.js";
import { backslashes } from "./backslash-syntax.js";
import { emphasis } from "./emphasis.js";
import { footnotes } from "./footnotes.js";
import { type Definitions, linksOf } from "./links.js";
import { marks } from "./marks.js";

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

/** @param definitions the text's definitions, which its references need */
export const parserFor = (definitions: Definitions): MarkdownParser =>
  definitions.links.size + definitions.footnotes.size === 0
    ? withoutDefinitions
    : withoutDefinitions.configure(linksOf(definitions));
