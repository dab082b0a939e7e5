import { expect, test } from "vitest";
import { codeTokens } from "./code-tokens.js";

test("the pieces of a code say what they are, and together are the code, whatever stands in it", () => {
  const code = 'const a = "<b onclick=x>"; // &amp;\nreturn `b` + 1;';
  const tokens = codeTokens("ts", code) ?? [];
  expect(tokens.map(({ text }) => text).join("")).toBe(code);
  expect(tokens).toContainEqual({ kind: "keyword", text: "const" });
  expect(tokens).toContainEqual({ kind: "comment", text: "// &amp;" });
});

test("a language that is not known has no pieces", () => {
  expect(codeTokens("klingon", "x")).toBeNull();
});
