import fc from "fast-check";
import { expect, test } from "vitest";
import { createStoredName, toFilename } from "./names.js";

test.each([
  ["photo.png", "photo.png"],
  [undefined, "file"],
  ["", "file"],
  ["  \t ", "file"],
  ["photo\u202egpj.vbs", "photogpj.vbs"],
  ["\u200b\u2066", "file"],
  ["two\r\nlines.txt", "two lines.txt"],
  ["cafe\u0301.txt", "caf\u00e9.txt"],
  [" .. ", "file"],
  [".", "file"],
  ["...", "..."],
  ["a\u0000b\u001b.txt", "ab.txt"],
  ["\ud800.txt", "\ufffd.txt"],
  [`${"🎈".repeat(300)}.tar`, `${"🎈".repeat(251)}.tar`],
  [`a.${"b".repeat(300)}`, `a.${"b".repeat(253)}`],
])("the name of a file %j is shown as %j", (sent, filename) => {
  expect(toFilename(sent)).toBe(filename);
});

test("any name fits the table: 1-255 code points shown, a safe one stored", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 600 }), (sent) => {
      const filename = toFilename(sent);
      expect([...filename].length).toBeGreaterThanOrEqual(1);
      expect([...filename].length).toBeLessThanOrEqual(255);
      expect(createStoredName(filename)).toMatch(/^[0-9a-f]{32}_[A-Za-z0-9._-]{1,128}$/);
    }),
  );
});

test("two files of one name are stored under two", () => {
  expect(createStoredName("a.png")).not.toBe(createStoredName("a.png"));
});
