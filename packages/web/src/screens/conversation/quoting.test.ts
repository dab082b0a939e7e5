import { expect, test } from "vitest";
import { quoteOf } from "./quoting.js";

test("a quote has each line of the text, and room below it", () => {
  expect(quoteOf("one\n\n> two\n")).toBe("> one\n> \n> > two\n\n");
});
