import { expect, test } from "vitest";
import { previewedLinks } from "./links.js";

test.each([
  ["see https://example.com/a?b=c, please", ["https://example.com/a?b=c"]],
  ["(http://example.com/x) and HTTPS://example.org.", ["http://example.com/x", "HTTPS://example.org"]],
  ["[here](https://example.com/y)", ["https://example.com/y"]],
  ["`https://example.com` ```\nhttps://example.com\n``` <https://example.com> ||https://example.com||", []],
  ["ftp://example.com, javascript:alert(1), https://, https://[", []],
  ["https://a.b https://c.d https://a.b https://e.f https://g.h", ["https://a.b", "https://c.d", "https://e.f"]],
  [`https://example.com/${"x".repeat(2_048)} https://a.b`, ["https://a.b"]],
])("the links of %j that get cards are %j", (content, expected) => {
  expect(previewedLinks(content)).toEqual(expected);
});

test("the links of the longest messages are found in a moment, whatever they are made of", () => {
  for (const part of ["https://", "||", "|", "`", "```", "<https://", "https://a.b ", "||https://"]) {
    const startedAt = performance.now();
    previewedLinks(part.repeat(Math.ceil(8_000 / part.length)));
    expect(performance.now() - startedAt).toBeLessThan(200);
  }
});
