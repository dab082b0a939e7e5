import { expect, test } from "vitest";
import { beginning, firstCharacter } from "./beginning.js";
import { cardLinks } from "./cards.js";
import { excerpt, shownText } from "./shown-text.js";

test.each([
  ["the end: ||he dies||.", "the end: ▒▒▒▒."],
  ["||https://example.org/secret||", "▒▒▒▒"],
  ["||**a** and [b](https://c.example)|| d ||e||", "▒▒▒▒ d ▒▒▒▒"],
  ["||a|| b ||c||", "▒▒▒▒ b ▒▒▒▒"],
  ["> ||a\n> b||\nc", "> ▒▒▒▒\nc"],
  ["||@ann :x: `code`||", "▒▒▒▒"],
  ["<div>||a||</div>", "<div>▒▒▒▒</div>"],
  ["**||a||** ~~||b||~~", "**▒▒▒▒** ~~▒▒▒▒~~"],
  ["||a|b||", "▒▒▒▒"],
  ["a\n\n[^1] x\n\n[^1]: ||b||", "a\n\n[^1] x\n\n[^1]: ▒▒▒▒"],
  // Shown by the page as they are.
  ["`||a||` ```||b||```", "`||a||` ```||b||```"],
  ["a || b", "a || b"],
  ["||||", "||||"],
  ["\\|\\|a\\|\\|", "\\|\\|a\\|\\|"],
  ["&#124;&#124;a||", "&#124;&#124;a||"],
])("outside of the message, %j reads %j", (text, shown) => {
  expect(shownText(text)).toBe(shown);
});

test("a hidden part that ends behind the cut stays hidden", () => {
  expect(excerpt(`a ||${"b".repeat(500)}||`, 200)).toBe("a ▒▒▒▒");
});

test.each([
  ["abc", 3, "abc"],
  ["abcd", 3, "ab…"],
  ["ab😀cd", 3, "ab…"],
  ["ab😀cd", 4, "ab😀…"],
  ["a👩‍👩‍👧b", 4, "a…"],
  ["ab👍🏽", 3, "ab…"],
  ["ab🇩🇪c", 4, "ab…"],
  ["cafe\u0301 x", 5, "caf…"],
  ["cafe\u0301 x", 6, "cafe\u0301…"],
  ["1️⃣2️⃣3️⃣", 7, "1️⃣2️⃣…"],
  ["😀😀😀", 3, "😀😀😀"],
])("the beginning of %j with %i characters is %j", (text, lengthMax, cut) => {
  expect(beginning(text, lengthMax)).toBe(cut);
});

test("the beginning of any text is whole characters, and never longer than it may be", () => {
  const parts = ["a", "😀", "👩‍👩‍👧", "e\u0301", "🇩🇪", "\u200d", "\ufe0f", "नि", "한", "\ud83d"];
  const whole = new Intl.Segmenter();
  for (let seed = 1; seed < 400; seed += 1) {
    const text = Array.from({ length: 12 }, (_, index) => parts[(seed * (index + 3) * 7 + index) % parts.length]).join(
      "",
    );
    const cut = beginning(text, 6);
    expect([...cut].length, text).toBeLessThanOrEqual(6);
    const kept = cut.endsWith("…") ? cut.slice(0, -1) : cut;
    const ends = [...whole.segment(text)].map(({ index }) => index).concat(text.length);
    expect(ends, text).toContain(kept.length);
  }
});

test("the first character is whole", () => {
  expect(["ann", "👩‍💻x", "🇩🇪", ""].map(firstCharacter)).toEqual(["a", "👩‍💻", "🇩🇪", ""]);
});

test.each([
  ["see https://example.com/a?b=c, please", ["https://example.com/a?b=c"]],
  ["(http://example.com/x) and HTTPS://example.org.", ["http://example.com/x", "HTTPS://example.org"]],
  [
    "https://en.wikipedia.org/wiki/Sphinx_(documentation_generator)",
    ["https://en.wikipedia.org/wiki/Sphinx_(documentation_generator)"],
  ],
  [
    "https://example.org/@somebody_ _https://example.org/x_",
    ["https://example.org/@somebody_", "https://example.org/x"],
  ],
  [
    "[here](https://example.com/y_(z)) ![p](<https://example.com/p>)",
    ["https://example.com/y_(z)", "https://example.com/p"],
  ],
  ["[a][b]\n\n[b]: https://example.com/defined", ["https://example.com/defined"]],
  ["[status](http://[2001:db8::1]:8080/)", ["http://[2001:db8::1]:8080/"]],
  [
    "**https://example.com/b** [https://example.com/c] x|https://example.com/d|",
    ["https://example.com/b", "https://example.com/c", "https://example.com/d|"],
  ],
  ["`https://example.com`\n```\nhttps://example.com\n```\n<https://example.com> ||https://example.com||", []],
  ["||[a](https://example.com)|| [r]: https://example.com", ["https://example.com"]],
  ["    https://example.com", []],
  ["www.example.com, and a@www.example.org", ["http://www.example.com"]],
  ["ftp://example.com, javascript:alert(1), https://, https://[", []],
  ["https://a.b https://c.d https://a.b https://e.f https://g.h", ["https://a.b", "https://c.d", "https://e.f"]],
  [`https://example.com/${"x".repeat(2_048)} https://a.b`, ["https://a.b"]],
])("the links of %j that get cards are %j", (text, links) => {
  expect(cardLinks(text, { cardsMax: 3, lengthMax: 2_048 })).toEqual(links);
});
