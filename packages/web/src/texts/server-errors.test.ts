import { ParleyError } from "@parley/client";
import { errorTexts } from "@parley/contracts";
import { expect, test } from "vitest";
import { errors } from "./english/errors.js";
import { refusals } from "./english/refusals.js";
import { errorText, setOtherTexts } from "./error-text.js";
import { languages } from "./languages.js";
import { programErrors } from "./program-errors.js";
import { textsOf } from "./server-errors.js";
import { serverErrorScripts } from "./texts.js";

const codes = Object.keys(errorTexts);
const texts = async (language: "de" | "ar") => serverErrorScripts[language]();

test.each(["de", "ar"] as const)("every error that a person can meet has a text in %s", async (language) => {
  const own = await languages[language].scripts.screens();
  const start = await languages[language].scripts.start();
  const translated = { ...start.errors, ...own.refusals, ...(await texts(language)) };
  const known = new Set<string>([...Object.keys(translated), ...programErrors]);
  expect(codes.filter((code) => !known.has(code))).toEqual([]);
  expect(Object.entries(translated).filter(([, text]) => text.trim() === "")).toEqual([]);
});

test("a text of an error contains the server's number and quotation", async () => {
  for (const language of ["de", "ar"] as const) {
    for (const [code, text] of Object.entries(await texts(language))) {
      const value: unknown = Object.entries(errorTexts).find(([known]) => known === code)?.[1];
      const isOfValue = typeof value === "function";
      if (/\{[nq]\}/.test(text)) expect([code, isOfValue]).toEqual([code, true]);
    }
  }
  const failure = (code: "slow_mode" | "emoji_name_taken", text: string) =>
    errorText(new ParleyError({ status: 429, code, text }));
  setOtherTexts(textsOf({}, await texts("de")));
  expect(failure("slow_mode", errorTexts.slow_mode(12))).toBe("Langsamer Modus: Warte 12 Sekunden.");
  expect(failure("emoji_name_taken", errorTexts.emoji_name_taken("$&"))).toBe("Ein Emoji '$&' gibt es hier schon.");
  setOtherTexts(textsOf({}, {}));
  expect(failure("slow_mode", errorTexts.slow_mode(12))).toBe("Slow mode: wait 12 seconds");
});

test("no error is listed twice, and every listed error exists", () => {
  const listed = [...Object.keys(errors), ...Object.keys(refusals), ...programErrors];
  expect(new Set(listed).size).toBe(listed.length);
  expect(programErrors.filter((code) => !codes.includes(code))).toEqual([]);
});
