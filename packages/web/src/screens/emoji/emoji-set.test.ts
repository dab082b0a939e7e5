import { isReactionEmoji } from "@parley/contracts";
import { expect, test } from "vitest";
import { tones } from "../../device/schemas.js";
import * as generated from "../../generated/emoji.js";
import { words as inArabic } from "../../generated/emoji-arabic.js";
import { words as inEnglish } from "../../generated/emoji-english.js";
import { words as inGerman } from "../../generated/emoji-german.js";
import { supportOf } from "./device-support.js";
import { emojiGroups, inTone, readEmojis, samples } from "./emoji-set.js";

const { shortcodes, ...signs } = generated;
const everything = { version: Number.POSITIVE_INFINITY, flags: true };
const read = (words: string, support = everything) => readEmojis({ signs, shortcodes, words }, support);
const all = read(inEnglish);
const find = (name: string) => all.find((emoji) => emoji.name === name);

test("every emoji in every tone is one that Unicode has and that a reaction can have", () => {
  const forms = all.flatMap(({ sign }) => tones.map((tone) => inTone(sign, tone)));
  expect(new Set(forms).size).toBeGreaterThan(3_500);
  expect(forms.filter((form) => !isReactionEmoji(form))).toEqual([]);
  // The newest ones may be unknown to this Node.js; a wrong form of an old one is not.
  const property = "RGI_Emoji";
  const known = new RegExp(`^\\p{${property}}$`, "v");
  const old = new Set(read(inEnglish, { version: 15, flags: true }).map(({ sign }) => sign));
  expect(forms.filter((form) => !known.test(form) && old.has(form))).toEqual([]);
  expect(inTone(find("woman technologist")?.sign ?? "", "🏽")).toBe("👩🏽‍💻");
  expect(inTone(find("index pointing up")?.sign ?? "", "🏿")).toBe("☝🏿");
  expect(inTone(find("index pointing up")?.sign ?? "", "")).toBe("☝️");
});

test.each([
  ["English", inEnglish, /^[\x20-\x7e‘’“”À-ÿ]+$/],
  ["German", inGerman, /^[^\u0600-\u06ff]+$/],
  ["Arabic", inArabic, /[\u0600-\u06ff]/],
])("each emoji has a group, a shortcode and a name in %s", (_, words, letters) => {
  const emojis = read(words);
  expect(emojis).toHaveLength(all.length);
  expect(new Set(emojis.map(({ group }) => group))).toEqual(new Set(emojiGroups));
  expect(
    emojis.filter(({ name, shortcodes: codes }) => name === "" || codes[0] === undefined || codes[0] === ""),
  ).toEqual([]);
  // Emoji that Unicode has named in one language only so far have English names.
  expect(emojis.filter(({ name }) => !letters.test(name)).length).toBeLessThan(40);
});

test("an old device is offered the emoji that it can show, in the tones that it knows", () => {
  const offered = read(inEnglish, { version: 13, flags: false });
  const names = new Set(offered.map(({ name }) => name));
  expect(
    ["ninja", "handshake", "rainbow flag", "saluting face", "flag: Germany"].map((name) => names.has(name)),
  ).toEqual([true, true, true, false, false]);
  expect(offered.find(({ name }) => name === "handshake")?.sign).toBe("🤝");
  expect(find("handshake")?.sign).toBe("🤝🏻");
});

test("the newest version that a device shows is found by one emoji of each", () => {
  const tried = samples(signs);
  expect(tried.map(({ version }) => version)).toEqual([17, 16, 15.1, 15, 14, 13.1, 13, 12.1, 0]);
  const shows = (newest: number, flags: boolean) => (emoji: string) =>
    emoji === "🇩🇪" ? flags : (tried.find((sample) => sample.emoji === emoji)?.version ?? 0) <= newest;
  expect(supportOf(tried, shows(15, false))).toEqual({ version: 15, flags: false });
  expect(supportOf(tried, shows(17, true))).toEqual({ version: 17, flags: true });
  // Without a font of emoji there is nothing to choose from.
  expect(supportOf(tried, () => false)).toEqual(everything);
});
