import { expect, test } from "vitest";
import { firstLink } from "./first-link.js";

test.each([
  ["see https://example.com/a?b=c, please", "https://example.com/a?b=c"],
  ["(http://example.com/x)", "http://example.com/x"],
  ["[here](https://example.com/y) and https://example.org", "https://example.com/y"],
  ["`https://example.com` is code", null],
  ["```\nhttps://example.com\n``` then https://example.org.", "https://example.org"],
  ["ftp://example.com, javascript:alert(1), https://", null],
])("the link whose preview is shown in %j is %j", (content, expected) => {
  expect(firstLink(content)).toBe(expected);
});
