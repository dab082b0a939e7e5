import { describe, expect, test } from "vitest";
import { inlineMarks, type MarkdownNode } from "./inline-marks.js";

function marks(node: MarkdownNode): MarkdownNode {
  const tree = { type: "root", children: [node] };
  inlineMarks(tree);
  return tree;
}
const shown = ({ value, type, mark, children = [] }: MarkdownNode): unknown => {
  if (mark === undefined) return value ?? [type, ...children.map(shown)];
  return mark.kind === "spoiler" ? [mark.kind, ...children.map(shown)] : [mark.kind, mark.value];
};
const inText = (value: string) => marks({ type: "text", value }).children?.map(shown);

describe("marks are found", () => {
  test.each([
    ["plain, a@b.c and 12:30:45", ["plain, a@b.c and 12", ["emoji", "30"], "45"]],
    ["hi @ann, see #general.", ["hi ", ["user", "ann"], ", see ", ["channel", "general"], "."]],
    ["@everyone (@bob-bot)", [["user", "everyone"], " (", ["user", "bob-bot"], ")"]],
    ["||the end|| :party-parrot:", [["spoiler", "the end"], " ", ["emoji", "party-parrot"]]],
    ["|||| :: @ #", ["||", "||", " :: @ #"]],
    ["||a||b||c||", [["spoiler", "a"], "b", ["spoiler", "c"]]],
    ["||@ann won|| || still", [["spoiler", ["user", "ann"], " won"], " ", "||", " still"]],
  ])("marks are found in %j", (text, expected) => {
    expect(inText(text)).toEqual(expected);
  });

  test("what has a format or a link is hidden, too", () => {
    const strong = { type: "strong", children: [{ type: "text", value: "Rosebud" }] };
    const link = { type: "link", children: [{ type: "text", value: "here" }] };
    const text = (value: string) => ({ type: "text", value });
    const tree: MarkdownNode = {
      type: "paragraph",
      children: [text("It is ||"), strong, text(", see "), link, text("||!")],
    };
    expect(marks(tree).children?.map(shown)).toEqual([
      ["paragraph", "It is ", ["spoiler", ["strong", "Rosebud"], ", see ", ["link", "here"]], "!"],
    ]);
  });

  test("marks are found marks are not found in code and links", () => {
    const code = { type: "inlineCode", value: "@ann" };
    const link = { type: "link", children: [{ type: "text", value: "@ann" }] };
    expect(marks(code).children).toEqual([code]);
    expect(marks(link).children).toEqual([link]);
  });
});
