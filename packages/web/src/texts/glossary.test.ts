import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const german = join(import.meta.dirname, "german");

/** The German word for a thing, and others that would name the same one. */
const glossary: readonly (readonly [word: string, others: RegExp])[] = [
  ["Single Sign-on", /einmalige anmeldung|einmalanmeldung/i],
  ["Bann, Banne", /\bbanns\b|verbannung/i],
  ["Eigentümer", /besitzer|inhaber/i],
  ["optional", /freiwillig|wahlweise/i],
  ["Profil", /\b(deine|eine|die|ihre|seine) karte\b/i],
  ["Spitzname", /nickname(?!_)|rufname/i],
  ["Benutzername", /nutzername(?<!benutzername)|username(?!_)|anmeldename/i],
  ["Auszeit", /timeout(?![_s])/i],
  ["Passkey", /hauptschlüssel|zugangsschlüssel/i],
  ["Auto-Moderation", /automatische moderation|automoderation/i],
];

/** The texts of a file: the parts between quotation marks. */
const textsIn = (file: string): string[] =>
  [...readFileSync(join(german, file), "utf8").matchAll(/"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g)].map(([text]) => text);

test.each(glossary)("in German one word stands for one thing: %s", (_, others) => {
  const files = readdirSync(german);
  expect(files.length).toBeGreaterThan(20);
  expect(files.flatMap((file) => textsIn(file).filter((text) => others.test(text)))).toEqual([]);
});
