import { describe, expect, test } from "vitest";
import { inlineMarks, type MarkdownNode } from "./inline-marks.js";

function marks(node: MarkdownNode): MarkdownNode {
  const tree = { type: "root", children: [node] };
  inlineMarks()(tree);
  return tree;
}
const inText = (value: string) =>
  marks({ type: "text", value }).children?.map(({ value: text, data }) =>
    data === undefined ? text : [data.hProperties.dataKind, data.hProperties.dataValue],
  );

describe("marks are found", () => {
  test.each([
    ["plain, a@b.c and 12:30:45", ["plain, a@b.c and 12", ["emoji", "30"], "45"]],
    ["hi @ann, see #general.", ["hi ", ["user", "ann"], ", see ", ["channel", "general"], "."]],
    ["@everyone (@bob-bot)", [["user", "everyone"], " (", ["user", "bob-bot"], ")"]],
    ["||the end|| :party-parrot:", [["spoiler", "the end"], " ", ["emoji", "party-parrot"]]],
    ["|||| :: @ #", ["|||| :: @ #"]],
  ])("marks are found in %j", (text, expected) => {
    expect(inText(text)).toEqual(expected);
  });

  test("marks are found marks are not found in code and links", () => {
    const code = { type: "inlineCode", value: "@ann" };
    const link = { type: "link", children: [{ type: "text", value: "@ann" }] };
    expect(marks(code).children).toEqual([code]);
    expect(marks(link).children).toEqual([link]);
  });
});
