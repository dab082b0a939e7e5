import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  clearableHttpUrl,
  clearableText,
  codePointLength,
  isBlank,
  isStorableText,
  text,
  trimmedText,
  trimWhiteSpace,
} from "./text.js";

describe("the length of a text", () => {
  test("the length of a text counts code points, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        expect(codePointLength(value)).toBe([...value].length);
      }),
    );
  });
});

describe("a text with NUL or a lone surrogate cannot be stored", () => {
  test.each([
    ["", true],
    ["plain", true],
    ["😀", true],
    ["a\u0000b", false],
    ["\ud800", false],
    ["\udc00a", false],
    ["a\ud83d", false],
  ])("whether the text %j can be stored: %s", (value, storable) => {
    expect(isStorableText(value)).toBe(storable);
  });
});

describe("white space", () => {
  test("white space is what Unicode calls so, and U+FEFF, and nothing else", () => {
    const characters = Array.from({ length: 0x1_0000 }, (_, unit) => String.fromCharCode(unit));
    const white = characters.filter((character) => /\p{White_Space}/u.test(character) || character === "\ufeff");
    expect(characters.filter((character) => isBlank(`\u0085 ${character}`))).toEqual(white);
    expect(characters.filter((character) => trimWhiteSpace(` ${character}a${character}`) === "a")).toEqual(white);
    expect([isBlank(""), isBlank("😀"), trimWhiteSpace(" 😀 b\u0085")]).toEqual([true, false, "😀 b"]);
  });
});

describe("text fields", () => {
  const message = "1 to 3";
  test("a text has its bounds in code points and is kept as sent", () => {
    const field = text({ min: 1, max: 3, message });
    expect(field.parse(" 😀 ")).toBe(" 😀 ");
    for (const wrong of ["", "four", "😀😀😀😀", "\u0000", 3, null, undefined]) {
      expect(field.safeParse(wrong).error?.issues[0]?.message).toBe(message);
    }
  });

  test("a trimmed text is measured after trimming", () => {
    const field = trimmedText({ min: 1, max: 3, message });
    expect(field.parse("  abc\n")).toBe("abc");
    expect(field.safeParse("   ").error?.issues[0]?.message).toBe(message);
  });

  test("a clearable text stores the empty string as null", () => {
    const field = clearableText(3, message);
    expect([field.parse(""), field.parse(null), field.parse("abc")]).toEqual([null, null, "abc"]);
    expect(field.safeParse("abcd").error?.issues[0]?.message).toBe(message);
  });

  test.each([
    ["https://example.com/a.png", true],
    ["HTTP://example.com", true],
    ["javascript:alert(1)", false],
    ["//example.com", false],
    ["https://", false],
  ])("whether the text %j is a URL: %s", (value, valid) => {
    expect(clearableHttpUrl("icon_url").safeParse(value).success).toBe(valid);
  });
});
