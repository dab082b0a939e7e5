import { createElement, Fragment } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { isPlainSentence } from "./plain-sentence.js";
import { renderMarkdown } from "./render-markdown.js";

const asMarkdown = (text: string) => renderToStaticMarkup(renderMarkdown(text, { fragment: Fragment }));
const asPlain = (text: string) => renderToStaticMarkup(createElement("p", null, text));

test.each([
  "Hello",
  "Hello, from left to right!",
  "I’ll be there at 19.30 (or later); who’s in?",
  "Größe, naïve, Привет, مرحبا بكم",
  'It said "wait" … and I won\'t.',
  "See 1) and 2. too",
])("the sentence %j is shown as it is", (text) => {
  expect(isPlainSentence(text)).toBe(true);
  expect(asMarkdown(text)).toBe(asPlain(text));
});

test.each([
  "**bold**",
  "see www.example.com",
  "https://example.com",
  "a@b.example",
  "@ann",
  "in #general",
  ":party:",
  "||spoiler||",
  "1. first",
  "- item",
  "> quote",
  "# title",
  "one\ntwo",
  "a  ",
  "    code",
  "a | b",
  "&amp; more",
  "back\\slash",
  "<b>",
  "x ~~y~~",
  "😀",
  "",
])("the sentence %j is read as Markdown", (text) => {
  expect(isPlainSentence(text)).toBe(false);
});

test("no combination of what may be in a plain sentence means anything in Markdown", () => {
  const parts = [
    "a",
    "Wort",
    "1",
    "www",
    ".",
    ",",
    "!",
    "?",
    ";",
    "(",
    ")",
    "'",
    '"',
    "–",
    " ",
    "  ",
    "é",
    "http",
    "com",
  ];
  let seed = 7;
  const next = (count: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * count);
  };
  const texts = Array.from({ length: 600 }, () =>
    Array.from({ length: 1 + next(8) }, () => parts[next(parts.length)]).join(""),
  ).filter(isPlainSentence);
  expect(texts.length).toBeGreaterThan(90);
  expect(texts.map(asMarkdown)).toEqual(texts.map(asPlain));
});
