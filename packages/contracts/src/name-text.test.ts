import fc from "fast-check";
import { expect, test } from "vitest";
import { clearableName, nameText, visibleName } from "./name-text.js";

test.each([
  ["ann", "ann"],
  ["  ann \u0085", "ann"],
  ["photo\u202egpj.vbs", "photogpj.vbs"],
  ["a\u2066b\u2069c\u200e\u200f\u061c", "abc"],
  ["ann\u200b", "ann"],
  ["a\u200cn\u200dn\u2060\ufeff\u00ad\u034f", "ann"],
  ["ann\u115f\u1160\u3164\uffa0\u17b4\u180e", "ann"],
  ["ann\u{e0041}\u{e007f}\ufe0f\u{e0100}", "ann"],
  ["two\nlines", "two lines"],
  ["two \r\n\t lines\u2028more\u2029still\u0085", "two lines more still"],
  ["ann\u2800", "ann"],
  ["a\u2800b", "a b"],
  ["bell\u0007\u001b[31m", "bell[31m"],
  ["cafe\u0301", "caf\u00e9"],
  ["\u1100\u1161", "\uac00"],
  ["上海", "上海"],
  ["مرحبا", "مرحبا"],
  ["-", "-"],
  ["👩🏽\u200d💻 ann", "👩🏽\u200d💻 ann"],
  ["❤\ufe0f", "❤\ufe0f"],
  ["1\ufe0f\u20e3", "1\ufe0f\u20e3"],
  ["🏳\ufe0f\u200d🌈", "🏳\ufe0f\u200d🌈"],
  [
    "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
  ],
  ["🇩🇪", "🇩🇪"],
  ["👍\u200d", "👍"],
])("the name %j is stored as %j", (name, stored) => {
  expect(visibleName(name)).toBe(stored);
  expect(nameText({ min: 1, max: 40, message: "missing" }).parse(name)).toBe(stored);
});

test.each(
  ["\u200b", "\u200d", "\ufe0f", "\u3164", "\u2800", "\u00ad\u2060", "\u202e", "\u{e0041}", "\u0301", "\u0007"].concat([
    "\u115f \uffa0",
    "\ue000",
    "\u{1d159}",
  ]),
)("the name %j shows nothing and is refused", (name) => {
  const message = "missing";
  for (const field of [
    nameText({ min: 1, max: 5, message }),
    nameText({ min: 0, max: 5, message }),
    clearableName(5, message),
  ]) {
    expect(field.safeParse(name).error?.issues[0]?.message).toBe(message);
  }
});

test("bounds are counted in what is stored, and blank clears what may be cleared", () => {
  const name = nameText({ min: 1, max: 3, message: "1 to 3" });
  expect(name.parse("\u202eabc\u200b\n")).toBe("abc");
  for (const wrong of ["abcd", " ", "", 5, null, undefined, "a\u0000b", "\ud800"]) {
    expect(name.safeParse(wrong).error?.issues[0]?.message).toBe("1 to 3");
  }
  expect(["", "  ", null, " a "].map((value) => clearableName(3, "").parse(value))).toEqual([null, null, null, "a"]);
  expect(nameText({ min: 0, max: 3, message: "" }).parse(" ")).toBe("");
});

test("a name of 250,000 characters of one kind is read without looking at a character twice", () => {
  for (const unit of [" ", "\n", " \n", "\u200b", "👩\u200d", "#\ufe0f", "\u2800"]) {
    expect(visibleName(`x${unit.repeat(250_000 / unit.length)}x`)).toMatch(/^x.*x$/);
  }
});

test("no stored name has a character that shows nothing or changes directions, and storing it again changes nothing", () => {
  const odd = fc.constantFrom(
    "\u200b",
    "\u202e",
    "\u2028",
    "\n",
    "\u200d",
    "\ufe0f",
    "👩",
    "💻",
    "e",
    "\u0301",
    "\u3164",
    "1",
    "\u20e3",
  );
  fc.assert(
    fc.property(
      fc.string({ unit: fc.oneof(odd, fc.string({ unit: "binary", minLength: 1, maxLength: 1 })) }),
      (text) => {
        const name = visibleName(text);
        expect(name).not.toMatch(/[\p{Bidi_Control}\p{Cc}\u2028\u2029\u200b\u3164]/u);
        expect(visibleName(name)).toBe(name);
        expect(name.trim()).toBe(name);
      },
    ),
  );
});
