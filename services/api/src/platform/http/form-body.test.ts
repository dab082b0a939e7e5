import { expect, test } from "vitest";
import { parseForm } from "./form-body.js";

test.each([
  "payload=%7B%22text%22%3A+%22a%26b%22%7D&wait=true",
  "a&a=&=a&&a=b=c",
  "%",
  "a=%4&b=%zz&c=%%41",
  "a=%F0%9F%98%80+%ff%C3",
  "a=\u00e9\u{1f600}+%20",
  "",
])("a form is read as the URL standard says: %j", (text) => {
  expect(parseForm(text)).toEqual([...new URLSearchParams(text)]);
});

test("a form of many pairs is refused before one of them is read", () => {
  expect(parseForm("a=1&".repeat(99))).toHaveLength(99);
  expect(() => parseForm("a&".repeat(400_000))).toThrow("Request body has too many values");
});
