import { describe, expect, test } from "vitest";
import { isPressed, shortcuts } from "../../screens/shortcuts/shortcuts.js";
import { shortcutKey } from "./keys.js";

describe("the key of a shortcut", () => {
  test.each([
    ["Russian", "л", "KeyK", "k"],
    ["Russian with Shift", "Л", "KeyK", "K"],
    ["Ukrainian", "і", "KeyS", "s"],
    ["Greek", "κ", "KeyK", "k"],
    ["Arabic", "ن", "KeyK", "k"],
    ["Arabic, two letters on one key", "لا", "KeyB", "b"],
    ["Arabic", "ظ", "Slash", "/"],
    ["Hebrew", "ל", "KeyK", "k"],
    ["Persian", "ن", "KeyK", "k"],
    ["Hindi", "क", "KeyK", "k"],
    ["Hindi, a mark", "्", "KeyD", "d"],
    ["Thai", "า", "KeyK", "k"],
    ["Thai, a mark", "่", "KeyJ", "j"],
    ["Georgian", "კ", "KeyK", "k"],
    ["Armenian", "կ", "KeyK", "k"],
    ["Korean", "ㅏ", "KeyK", "k"],
    ["Japanese", "の", "KeyK", "k"],
  ])("is the one at its place on a layout without Latin letters: %s %s", (layout, key, code, expected) => {
    expect(shortcutKey({ key, code, shiftKey: layout.endsWith("Shift") })).toBe(expected);
  });

  test.each([
    ["Dvorak", "t", "KeyK"],
    ["French", "a", "KeyQ"],
    ["German", "z", "KeyY"],
    ["German", "ö", "Semicolon"],
    ["Turkish", "ı", "KeyI"],
    ["Vietnamese", "ă", "Digit1"],
    ["a named key", "Enter", "Enter"],
    ["a dead key", "Dead", "KeyK"],
    ["a digit of Arabic", "٣", "Digit3"],
    ["a sign", ".", "Slash"],
  ])("is the character of the layout elsewhere: %s %s", (_layout, key, code) => {
    expect(shortcutKey({ key, code, shiftKey: false })).toBe(key);
  });

  const modifiers = { Mod: "ctrlKey", Alt: "altKey", Shift: "shiftKey" } as const;
  const isModifier = (part: string): part is keyof typeof modifiers => part in modifiers;
  const withCharacter = shortcuts.filter(({ chord }) => chord.at(-1)?.length === 1);

  test.each(withCharacter.map(({ name, chord }) => [name, chord] as const))(
    "%s is pressed on a layout without Latin letters",
    (_name, chord) => {
      const letter = chord.at(-1) ?? "";
      const code = letter === "/" ? "Slash" : `Key${letter}`;
      const pressed = Object.fromEntries(
        chord.slice(0, -1).flatMap((part) => (isModifier(part) ? [[modifiers[part], true]] : [])),
      );
      const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
      expect(isPressed(chord, { ...none, ...pressed, key: "ظ", code })).toBe(true);
    },
  );
});
