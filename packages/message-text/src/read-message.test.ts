import { describe, expect, test } from "vitest";
import type { MarkdownNode } from "./node.js";
import { readMessage } from "./read-message.js";

/** A tree in short: text as it is, every other node with its type. */
const short = ({ type, value = "", url, mark, children = [] }: MarkdownNode): string =>
  type === "text"
    ? value
    : `<${mark?.kind ?? type}${url === undefined ? "" : ` ${url}`}>${value}${children.map(short).join("")}</>`;

/** The text of one paragraph. */
const line = (text: string): string =>
  readMessage(text)
    .children.map((block) => (block.type === "paragraph" ? (block.children ?? []).map(short).join("") : short(block)))
    .join("\n");

describe("emphasis beside signs of scripts without blanks", () => {
  test.each([
    ["**明日，**雨", "<strong>明日，</>雨"],
    ["これは**「重要」**です", "これは<strong>「重要」</>です"],
    ["**“你好”**吧", "<strong>“你好”</>吧"],
    ["请看**https://example.org/**吧", "请看**<link https://example.org/**吧>https://example.org/**吧</>"],
    ["한국어**(중요)**입니다", "한국어<strong>(중요)</>입니다"],
    ["*注意：*没有", "<emphasis>注意：</>没有"],
    ["~~过时。~~新的", "<delete>过时。</>新的"],
    ["这是**`code`**的", "这是<strong><inlineCode>code</></>的"],
    // As before.
    ["**bold:**word", "**bold:**word"],
    ['a**"b"**c', 'a**"b"**c'],
    ["2 * 3 * 4, a*b*c", "2 * 3 * 4, a<emphasis>b</>c"],
    ["snake_case_name __x__", "snake_case_name <strong>x</>"],
    ["**a😀**b", "<strong>a😀</>b"],
  ])("%j is %j", (text, expected) => {
    expect(line(text)).toBe(expected);
  });
});

describe("a backslash is hidden only before a character that would mark something", () => {
  test.each([
    ["¯\\_(ツ)_/¯", "¯\\_(ツ)_/¯"],
    ["(\\_/)", "(\\_/)"],
    ["C:\\_old\\_dir\\*.txt", "C:\\_old\\_dir\\*.txt"],
    ["\\\\server\\share", "\\\\server\\share"],
    ["C:\\dir\\\nD:\\", "C:\\dir\\\nD:\\"],
    ["^\\d+\\.\\d+\\(x\\)$ \\[a\\] \\{b\\}", "^\\d+\\.\\d+\\(x\\)$ \\[a\\] \\{b\\}"],
    ["\\o/ \\m/ 5\\*3 :\\)", "\\o/ \\m/ 5\\*3 :\\)"],
    ["a \\| b, c\\#4, d\\-e, \\<f>", "a \\| b, c\\#4, d\\-e, \\<f>"],
    ["\\*a\\* \\_b\\_ \\~\\~c\\~\\~", "*a* _b_ ~~c~~"],
    ["\\*\\*a\\*\\*", "**a**"],
    ["\\`a\\`", "`a`"],
    ["\\[a](/b) [c\\](/d) \\![e](/f)", "[a](/b) [c](/d) !<link /f>e</>"],
    ["\\# a", "# a"],
    ["1\\. a", "1. a"],
    ["\\- a", "- a"],
    ["\\> a", "> a"],
    ["\\---", "---"],
    ["\\|\\|a\\|\\|", "||a||"],
    ["\\:smile: \\#general", ":smile: #general"],
    ["\\&amp; \\<mailto:a>", "&amp; <mailto:a>"],
    ["\\\\*a*", "\\<emphasis>a</>"],
  ])("%j reads %j", (text, expected) => {
    expect(line(text)).toBe(expected);
  });
});

describe("addresses", () => {
  test.each([
    ["||https://example.org/secret||", "<spoiler><link https://example.org/secret>https://example.org/secret</></>"],
    [
      "||www.example.org|| ||a@example.org||",
      "<spoiler><link http://www.example.org>www.example.org</></> <spoiler><link mailto:a@example.org>a@example.org</></>",
    ],
    ["||see https://example.org/a|b||!", "<spoiler>see <link https://example.org/a|b>https://example.org/a|b</></>!"],
    ["https://example.org/@somebody_", "<link https://example.org/@somebody_>https://example.org/@somebody_</>"],
    ["_https://example.org/a_b_", "<emphasis><link https://example.org/a_b>https://example.org/a_b</></>"],
    ["(https://example.org/a_(b))", "(<link https://example.org/a_(b)>https://example.org/a_(b)</>)"],
    [
      "https://example.org/a?b&c=d; https://example.org/&amp;",
      "<link https://example.org/a?b&c=d>https://example.org/a?b&c=d</>; <link https://example.org/>https://example.org/</>&",
    ],
    ["http://[::1]:80/a and https://a_b.c/", "<link http://[::1]:80/a>http://[::1]:80/a</> and https://a_b.c/"],
  ])("%j is %j", (text, expected) => {
    expect(line(text)).toBe(expected);
  });
});

test("marks are found beside each other, and in formats", () => {
  expect(line("hi **@ann**, see #general. :party: 12:30:45 ||@bob won||")).toBe(
    "hi <strong><user>@ann</></>, see <channel>#general</>. <emoji>:party:</> 12<emoji>:30:</>45 <spoiler><user>@bob</> won</>",
  );
  expect(line("||a||b||c|| ||d||||e||")).toBe("<spoiler>a</>b<spoiler>c</> <spoiler>d</><spoiler>e</>");
});

test("a text that nests 30 quotes or lists is shown as it is", () => {
  expect(line(`${"> ".repeat(30)}**a**`)).toBe(`${"> ".repeat(30)}**a**`);
  expect(line(`${"- ".repeat(29)}**a**`)).toContain("<strong>a</>");
});

test("of the signs of one block, no more than 800 begin or end a format", () => {
  const bold = "**a** ";
  expect(line(bold.repeat(400)).match(/<strong>/g)).toHaveLength(400);
  expect(line(bold.repeat(500)).match(/<strong>/g)).toHaveLength(400);
  expect(line(`${bold.repeat(400)}\n\n**b**`)).toContain("<strong>b</>");
});
