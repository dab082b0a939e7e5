// Writes the emoji of Unicode and their names as strings that are small when compressed. emojibase has the set, its
// order, its shortcodes and the names in English and German; those in Arabic are Unicode's own.
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const folder = fileURLToPath(new URL("src/generated/", import.meta.url));

const groups = ["smileys", "people", "", "animals", "food", "travel", "activities", "objects", "symbols", "flags"];
/** Emoji of this version and older are on every device that can show the page. */
const versionEverywhere = 12;
const [lightTone, joiner, presentation] = ["🏻", "\u200D", "\uFE0F"];

const inEnglish = require("emojibase-data/en/data.json");
const inGerman = byHexcode(require("emojibase-data/de/data.json"));
const inArabic = require("cldr-annotations-modern/annotations/ar/annotations.json").annotations.annotations;
const shortcodeSets = ["github", "emojibase"].map((name) => require(`emojibase-data/en/shortcodes/${name}.json`));
const arabicRegions = new Intl.DisplayNames("ar", { type: "region", fallback: "none" });

// Single letters of flags have no group; tones and hair are parts of others.
const emojis = inEnglish
  .filter(({ group }) => groups[group] !== undefined && groups[group] !== "")
  .sort((a, b) => a.order - b.order);

function byHexcode(list) {
  return new Map(list.map((entry) => [entry.hexcode, entry]));
}

/**
 * The emoji with the light tone after each part that has tones, and the versions of Unicode in which it and its tones
 * came, if those are new: "🫱🏻/14", "👯🏻/0/17".
 */
function signOf({ emoji, version, skins = [] }) {
  const ofOneTone = skins.filter(({ tone }) => typeof tone === "number");
  const sign = ofOneTone.length === 0 ? plainOf(emoji) : withTones(plainOf(emoji), ofOneTone);
  const versions = [version, ofOneTone[0]?.version ?? version].map((each) => (each > versionEverywhere ? each : 0));
  if (versions[1] === versions[0]) versions.pop();
  return [sign, ...(versions.some((each) => each > 0) ? versions : [])].join("/");
}

/** emojibase has U+FE0F after every emoji; Unicode's own form has it only where a sign would be text without it. */
function plainOf(emoji) {
  return emoji.replaceAll(/(\p{Emoji_Presentation})\uFE0F/gu, "$1");
}

/** Both forms in one: without the light tone it is the plain one, and `/\uFE0F?🏻/` stands where a tone does. */
function withTones(emoji, skins) {
  const light = plainOf(skins.find(({ tone }) => tone === 1).emoji);
  const sign = [...emoji.matchAll(/\P{M}\uFE0F?|\u200D/gu)].reduce((built, [part]) => {
    const begun = built.replaceAll(/\uFE0F?🏻/gu, lightTone) + part.replace(presentation, "");
    return light.startsWith(begun + lightTone) ? built + part + lightTone : built + part;
  }, "");
  for (const { tone, emoji: toned } of skins) {
    const made = sign.replaceAll(/\uFE0F?🏻/gu, String.fromCodePoint(0x1f3fa + tone));
    if (made !== plainOf(toned)) throw new Error(`${sign} does not become ${toned}.`);
  }
  return sign;
}

function shortcodesOf({ hexcode }) {
  const found = shortcodeSets.map((set) => [set[hexcode] ?? []].flat());
  return found.find((names) => names.length > 0) ?? [];
}

/** A name and the other words by which it is found: "red heart|emotion,love". */
function wordsOf(name, tags) {
  const known = new Set([name, ...name.split(/[\s:،]+/)]);
  const others = [...new Set(tags)].filter((tag) => !known.has(tag));
  return others.length === 0 ? name : `${name}|${others.join(",")}`;
}

/** As Unicode derives the names of sequences: that of the first part, and then those of the others. */
function arabicOf({ emoji, label, tags = [] }) {
  const plain = (text) => text.replaceAll(presentation, "");
  const whole = inArabic[plain(emoji)];
  if (whole !== undefined) return wordsOf(whole.tts[0], whole.default);
  const region = regionOf(emoji);
  if (region !== undefined) return wordsOf(`علم: ${region}`, []);
  const parts = emoji.split(joiner).map((part) => inArabic[plain(part)]);
  if (parts.length === 1 || parts.includes(undefined)) return wordsOf(label, tags);
  const [first, ...others] = parts.map(({ tts }) => tts[0]);
  const name = `${first}: ${others.join("، ")}`;
  return wordsOf(
    name,
    parts.flatMap((part) => part.default),
  );
}

function regionOf(emoji) {
  const letters = [...emoji].map((letter) => letter.codePointAt(0) - 0x1f1e6);
  if (letters.length !== 2 || letters.some((letter) => letter < 0 || letter > 25)) return undefined;
  return arabicRegions.of(String.fromCharCode(...letters.map((letter) => 65 + letter)));
}

const names = {
  english: ({ label, tags = [] }) => wordsOf(label, tags),
  german: ({ hexcode, label, tags = [] }) => {
    const german = inGerman.get(hexcode);
    return german === undefined ? wordsOf(label, tags) : wordsOf(german.label, german.tags ?? []);
  },
  arabic: arabicOf,
};

mkdirSync(folder, { recursive: true });
const constant = (name, comment, value) => `/** ${comment} */\nexport const ${name} = ${JSON.stringify(value)};\n`;
const write = (file, ...constants) =>
  writeFileSync(new URL(`src/generated/${file}.ts`, import.meta.url), constants.join("\n"));

write(
  "emoji",
  ...groups
    .filter((name) => name !== "")
    .map((name) => {
      const signs = emojis.filter(({ group }) => groups[group] === name).map(signOf);
      return constant(
        name,
        "Emoji in their order, each with the tone and the versions that `signOf` writes.",
        signs.join(" "),
      );
    }),
  constant(
    "shortcodes",
    "Shortcodes, a line for each emoji.",
    emojis.map((each) => shortcodesOf(each).join(",")).join("\n"),
  ),
);
for (const [language, wordsIn] of Object.entries(names)) {
  write(
    `emoji-${language}`,
    constant("words", "The name and, after |, further words, a line for each emoji.", emojis.map(wordsIn).join("\n")),
  );
}
