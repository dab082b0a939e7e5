import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findForbiddenFile } from "./attachments.js";
import { isShouted } from "./caps.js";
import { foldContent, foldText } from "./fold.js";
import { findInvites } from "./invites.js";
import { findForbiddenHost, findHosts } from "./links.js";
import { buildRuleWords } from "./words.js";

function find(words: string[], text: string, match: "part" | "word" | "prefix" = "part", allow: string[] = []) {
  const building = buildRuleWords({ type: "words", words, match, allow });
  for (;;) {
    const step = building.next();
    if (step.done) return step.value.find(foldText(text));
  }
}

describe("a listed word is found", () => {
  test.each([
    ["discord", "DISCORD"],
    ["discord", "dïscörd"],
    ["discord", "ｄｉｓｃｏｒｄ"],
    ["discord", "dіѕсоrd"],
    ["discord", "d1sc0rd"],
    ["hello", "heIIo he110"],
    ["discord", "di\u200bsc\u00adord"],
    ["discord", "𝓭𝓲𝓼𝓬𝓸𝓻𝓭"],
    ["discord", "d\u0336i\u0336scord"],
    ["ВЛАСТЬ", "власть"],
    ["плохо", "плoxo"],
    ["two words", "two \n\u3000words"],
    ["شكرا", "شُكراً"],
    ["c++", "I like C++!"],
  ])("%j in %j", (word, text) => {
    expect(find([word], text)).toBe(word);
  });

  test.each([
    ["word", ["bad"], "a bad day", "bad"],
    ["word", ["bad"], "badly", null],
    ["word", ["bad"], "(BAD)", "bad"],
    ["word", ["bad day"], "one bad  day.", "bad day"],
    ["prefix", ["bad"], "badly", "bad"],
    ["prefix", ["bad"], "embadded", null],
    ["part", ["bad"], "embadded", "bad"],
    ["part", ["fail"], "fall", null],
    ["part", ["bum"], "burn", null],
    ["part", ["\u200b"], "anything", null],
  ] as const)("as %s of %j in %j: %j", (match, words, text, expected) => {
    expect(find([...words], text, match)).toBe(expected);
  });

  test.each([
    ["a classic", null],
    ["a CLASSIC ass", "ass"],
    ["assess", null],
    ["classass", "ass"],
  ])("in %j beside allowed words: %j", (text, expected) => {
    expect(find(["ass"], text, "part", ["class", "assess"])).toBe(expected);
  });

  test("whatever the case of its letters", () => {
    const letters = [..."abcdefghijklmnopqrstuvwxyzäéñøçабвгдежзийклмнопрстуфхцчшщыэюяαβγδεζηθικλμνξοπρτυφχψω"];
    const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(word, (text) => {
        expect(find([text], text.toUpperCase())).toBe(text);
        expect(find([text.toUpperCase()], text)).toBe(text.toUpperCase());
      }),
    );
  });
});

test("what differs in case, accents and invisible characters is the same content", () => {
  expect(foldContent("Buy  NOW\u200b")).toBe(foldContent("búy now"));
  expect(foldContent("\u200b")).toBe("");
});

describe("links", () => {
  test.each([
    ["https://Evil.com/path?q=a.com", ["evil.com"]],
    ["see evil.com, www.EVIL.co.uk.", ["evil.com", "www.evil.co.uk"]],
    ["[text](http://a.example/x)<https://b.example>", ["a.example", "b.example"]],
    ["https://good.com@evil.com/", ["evil.com"]],
    ["http://127.0.0.1:80 http://localhost", ["127.0.0.1", "localhost"]],
    ["evil。com ev\u200bil.com", ["evil.com"]],
    ["münchen.de", ["xn--mnchen-3ya.de"]],
    ["mail bob@evil.com v1.2.3 a.b file.unknownsuffix ...", []],
    ["path/evil.com", []],
  ])("of %j go to %j", (text, expected) => {
    expect(findHosts(text)).toEqual(expected);
  });

  test.each([
    ["block_listed", "a.evil.com", "a.evil.com"],
    ["block_listed", "notevil.com", null],
    ["allow_listed_only", "a.evil.com", null],
    ["allow_listed_only", "notevil.com", "notevil.com"],
  ] as const)("%s of evil.com forbids %s: %j", (mode, host, expected) => {
    expect(findForbiddenHost([host], { mode, domains: new Set(["evil.com"]) })).toBe(expected);
  });
});

test.each([
  ["join https://chat.example/app/invite/abcdEF12 now", ["abcdEF12"]],
  ["chat.example/INVITE/abcdEF12", ["abcdEF12"]],
  ["discord.gg/xyz (https://discord.com/invite/uvw)", ["uvw", "xyz"]],
  ["the path /invite/abcdEF12 alone, and an invite/ without code", []],
])("invites of %j have the codes %j", (text, codes) => {
  expect(findInvites(text).map(({ code }) => code)).toEqual(codes);
});

test.each([
  ["STOP IT NOW", true],
  ["STOP IT please", false],
  ["OK", false],
  ["12345 !!!!! 67890", false],
  ["ЧТО ЭТО", true],
])("%j is shouted: %j", (text, expected) => {
  expect(isShouted(text, { min_length: 5, percent: 70 })).toBe(expected);
});

test.each([
  [["image/png"], 1, { mime_types: ["image/*"] }, { term: "image/png" }],
  [["text/plain; charset=utf-8"], 1, { mime_types: ["text/plain"] }, { term: "text/plain" }],
  [["image/png"], 3, { mime_types: [], max: 2 }, { term: null }],
  [["image/png"], 2, { mime_types: ["text/plain"], max: 2 }, null],
  [[], 5, { mime_types: [], max: 2 }, null],
])("files %j, %i in all, break %j: %j", (added, total, rule, expected) => {
  expect(findForbiddenFile({ added, total }, rule)).toEqual(expected);
});
