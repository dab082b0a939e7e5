import { findMentions } from "@parley/message-text";
import { Fragment, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { isPlainSentence } from "./plain-sentence.js";
import { renderMarkdown } from "./render-markdown.js";

/** The mentions that the page shows of a text, in their order. */
function shownMentions(text: string): string[] {
  const shown: string[] = [];
  const mark = ({ kind, value, children }: { kind: string; value: string; children?: ReactNode }) => {
    if (kind === "user") shown.push(value);
    return children;
  };
  if (!isPlainSentence(text)) renderToStaticMarkup(renderMarkdown(text, { fragment: Fragment, mark }));
  return [...new Set(shown)];
}

const names = ["@bob", "@ann", "@my-bot-1", "@everyone", "@a_b", "@bob-", "@"];
const parts = [
  ...names,
  ...names,
  " ",
  " ",
  "\n",
  "\n\n",
  "    ",
  "\t",
  "`",
  "``",
  "```\n",
  "~~~\n",
  "*",
  "**",
  "_",
  "~~",
  "||",
  "|",
];
parts.push(
  "[",
  "]",
  "](/x?",
  ")",
  "(",
  "![",
  "[^1]",
  "[^1]: ",
  "[r]: /",
  "<",
  ">",
  "> ",
  "- ",
  "1. ",
  "# ",
  "\\",
  "&#64;",
  "&amp;",
);
parts.push(
  "https://x.org/",
  "www.x.org/",
  "x@",
  ".org",
  "a",
  "é",
  "さん",
  "日",
  "😀",
  "❤️",
  ".",
  ",",
  "'s",
  "/",
  ":",
  "+",
  "-",
  "|-|\n",
  "\u200b",
  "\r\n",
);

test("a text is a mention on the page if and only if the service counts it, for random texts, too", () => {
  let state = 29;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  let count = 0;
  for (let round = 0; round < 3_000; round += 1) {
    const text = Array.from({ length: 1 + next(16) }, () => parts[next(parts.length)]).join("");
    const mentions = findMentions(text);
    expect(shownMentions(text).toSorted(), JSON.stringify(text)).toEqual(mentions.toSorted());
    count += mentions.length;
  }
  expect(count).toBeGreaterThan(1_000);
});
