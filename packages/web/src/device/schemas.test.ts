import { expect, test } from "vitest";
import { emojiSettings, languageChoiceOf, recentSearches, textMap, themeOf, voiceSettings } from "./schemas.js";

test("reads settings for calls, and takes the usual value for whatever is broken in them", () => {
  const usual = voiceSettings(null);
  const chosen = { ...usual, microphoneId: "m1", isPushToTalk: true, people: { ada: { volume: 30, isMuted: true } } };
  expect(voiceSettings(JSON.parse(JSON.stringify(chosen)))).toEqual(chosen);
  for (const broken of [7, "text", { volume: 101, talkKey: 4, people: [] }]) {
    expect(voiceSettings(broken)).toEqual(usual);
  }
  expect(voiceSettings({ people: { ada: { volume: -1 }, ben: null } }).people).toEqual({
    ada: { volume: 100, isMuted: false },
    ben: { volume: 100, isMuted: false },
  });
});

test("reads settings for emoji, and takes the usual value for whatever is broken in them", () => {
  const uses = [{ sign: "🎉", score: 1, at: 7 }];
  expect(emojiSettings({ tone: "🏽", uses })).toEqual({ tone: "🏽", uses });
  for (const broken of [null, "", 7, { tone: "x", uses: [{ sign: 1 }] }, { uses: {} }]) {
    expect(emojiSettings(broken)).toEqual({ tone: "", uses: [] });
  }
});

test("reads a theme and a language, and takes those of device and browser for unknown ones", () => {
  expect(["dark", "light", "blue", null].map(themeOf)).toEqual(["dark", "light", "system", "system"]);
  expect(["de", "xx", null].map(languageChoiceOf)).toEqual(["de", "browser", "browser"]);
});

test("reads pairs of texts, and leaves out whatever else is among them", () => {
  expect([...textMap([["Ada L.", "ada"], ["x"], [1, "y"], null])]).toEqual([["Ada L.", "ada"]]);
  expect(textMap({}).size).toBe(0);
});

test("reads searches of before, the last six, and leaves out filters that are none", () => {
  const chip = { name: "from", value: "ada", id: "7" };
  expect(recentSearches([{ text: "walnut", chips: [chip, { name: "by", value: "ada" }, null] }, 7])).toEqual([
    { text: "walnut", chips: [chip] },
    { text: "", chips: [] },
  ]);
  expect(recentSearches(Array(9).fill({ text: "walnut" }))).toHaveLength(6);
  expect(recentSearches("walnut")).toEqual([]);
});
