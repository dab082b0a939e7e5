import fc from "fast-check";
import { expect, test } from "vitest";
import { parseSearchQuery, printSearchQuery, searchFilterNames } from "./query.js";

const word = (text: string, isExcluded = false) => ({ text, isPhrase: false, isExcluded });
const phrase = (text: string, isExcluded = false) => ({ text, isPhrase: true, isExcluded });

test.each([
  ["", [], []],
  ["  carp \n pike ", [word("carp"), word("pike")], []],
  [
    'carp "with bread" -perch -"a big rod"',
    [word("carp"), phrase("with bread"), word("perch", true), phrase("a big rod", true)],
    [],
  ],
  ['"not closed', [phrase("not closed")], []],
  ["“typographic quotes”", [phrase("typographic quotes")], []],
  ['"" -"" carp', [word("carp")], []],
  ["- -- --carp co-op", [word("-"), word("-", true), word("-carp", true), word("co-op")], []],
  ['say"so', [word('say"so')], []],
  [
    "http://example.org/?in:x 12:30 key:value from: :on",
    ["http://example.org/?in:x", "12:30", "key:value", "from:", ":on"].map((text) => word(text)),
    [],
  ],
  ['from:""', [word('from:""')], []],
  ["-from:ann", [word("from:ann", true)], []],
  [
    "from:ann FROM:Bob",
    [],
    [
      { name: "from", value: "ann" },
      { name: "from", value: "Bob" },
    ],
  ],
  [
    'server:"Chess club" in:#general has:link',
    [],
    [
      { name: "server", value: "Chess club" },
      { name: "in", value: "#general" },
      { name: "has", value: "link" },
    ],
  ],
  [
    'before:2026-11 carp is:pinned on:"7d',
    [word("carp")],
    [
      { name: "before", value: "2026-11" },
      { name: "is", value: "pinned" },
      { name: "on", value: "7d" },
    ],
  ],
  [
    "from:http://a in:a:b",
    [],
    [
      { name: "from", value: "http://a" },
      { name: "in", value: "a:b" },
    ],
  ],
])("the query %j has its parts", (written, terms, filters) => {
  expect(parseSearchQuery(written)).toEqual({ terms, filters });
});

test("a printed query is read as the same query, whatever was written", () => {
  const piece = fc.oneof(
    fc.constantFrom(...searchFilterNames, ":", '"', "-", " ", "\n", "“", "carp", "上海", "12:30", "http://"),
    fc.string({ maxLength: 4, unit: "grapheme" }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const query = parseSearchQuery(pieces.join(""));
      expect(parseSearchQuery(printSearchQuery(query))).toEqual(query);
    }),
    { numRuns: 5_000 },
  );
});
