import { describe, expect, test } from "vitest";
import { arabicStart } from "./arabic/arabic-start.js";
import { english } from "./english/english.js";
import { formatsOf } from "./formats.js";
import { german } from "./german/german.js";
import { firstLanguageOf } from "./languages.js";

describe("the language", () => {
  test("the language is the first wanted one that there is, in the reader's variety of it", () => {
    expect(firstLanguageOf(["fr", "de-AT", "en-GB"])).toEqual({ language: "de", locale: "de-AT-u-nu-latn" });
    expect(firstLanguageOf(["ar"])).toEqual({ language: "ar", locale: "ar-u-nu-latn" });
  });

  test("the language is English for a browser that asks for none of them", () => {
    expect(firstLanguageOf(["fr-CA", "ja"])).toEqual({ language: "en", locale: "en" });
    expect(firstLanguageOf([])).toEqual({ language: "en", locale: "en" });
  });
});

describe("a counted text", () => {
  test("a counted text has the two forms of English and German", () => {
    expect([0, 1, 2, 1_000].map(english.search.found)).toEqual([
      "0 messages",
      "1 message",
      "2 messages",
      "1,000 messages",
    ]);
    expect([0, 1, 2, 1_000].map(german.search.found)).toEqual([
      "0 Nachrichten",
      "1 Nachricht",
      "2 Nachrichten",
      "1.000 Nachrichten",
    ]);
  });

  test("a counted text has the six forms of Arabic", () => {
    expect([0, 1, 2, 3, 11, 100].map(arabicStart.invite.membersCount)).toEqual([
      "لا أعضاء",
      "عضو واحد",
      "عضوان",
      "3 أعضاء",
      "11 عضوًا",
      "100 عضو",
    ]);
  });
});

test("times, numbers, sizes and lists are written as the language writes them", () => {
  const written = (locale: string) => {
    const { clock, number, percent, bytes, list } = formatsOf(locale);
    const all = [
      clock("2026-03-01T15:04:00"),
      number(1_234.5),
      percent(0.5),
      bytes(1_536),
      bytes(512),
      list(["a", "b"]),
    ];
    return all.map((text) => text.replace("\u00a0", " "));
  };
  expect(written("en-GB")).toEqual(["15:04", "1,234.5", "50%", "1.5 kB", "512 bytes", "a, b"]);
  expect(written("de-u-nu-latn")).toEqual(["15:04", "1.234,5", "50 %", "1,5 kB", "512 Byte", "a, b"]);
  expect(written("ar-u-nu-latn")[1]).toBe("1,234.5");
});
