import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const tokens = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");
const stylesheets = readdirSync(root, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".css") && file !== "ui/look/tokens.css");

/** Pixels that a token for space has. */
const spaces = [...tokens.matchAll(/--space-\d+: (\d+)px;/g)].map(([, pixels]) => pixels);
const ofTokens = (value: string) => /^(?:inherit|var\(--(?:type|layer)-[\w-]+\))$/.test(value);

/** Whether a value has to be a token's. */
const isRaw: Record<string, (value: string) => boolean> = {
  "font-size": (value) => !ofTokens(value),
  font: (value) => value !== "inherit" && !value.startsWith("var(--type-"),
  "z-index": (value) => !ofTokens(value),
  gap: isSpace,
  padding: isSpace,
  margin: isSpace,
};

function isSpace(value: string): boolean {
  return [...value.matchAll(/(?<![\w.-])(\d+)px\b/g)].some(([, pixels]) => spaces.includes(pixels));
}

/** Declarations with a value that a token has, or has to have. */
function rawIn(css: string): string[] {
  const declarations = css.replaceAll(/\/\*[\s\S]*?\*\//g, "").matchAll(/(?<![\w-])([a-z-]+):\s*([^;{}]+);/g);
  return [...declarations].flatMap(([text, property = "", value = ""]) => {
    const name = property.replace(/^(?:(?:row|column)-(?=gap)|(padding|margin)-.*$)/, "$1");
    return isRaw[name]?.(value) === true ? [text] : [];
  });
}

test("finds raw sizes of type, layers and lengths that a token has, and nothing else", () => {
  const css = `.a { font-size: 1rem; z-index: 2; margin-block: -8px var(--space-8); padding: 3px calc(8px + 1px); }
    .b { font-size: inherit; z-index: var(--layer-menu); row-gap: 8px; margin: -8px; width: 8px; font: 15px serif; }`;
  expect(rawIn(css)).toEqual([
    "font-size: 1rem;",
    "z-index: 2;",
    "padding: 3px calc(8px + 1px);",
    "row-gap: 8px;",
    "font: 15px serif;",
  ]);
});

test("stylesheets take sizes of type, space and layers from the tokens", () => {
  expect(stylesheets.length).toBeGreaterThan(50);
  const raw = stylesheets.flatMap((file) =>
    rawIn(readFileSync(join(root, file), "utf8")).map((text) => `${file}: ${text}`),
  );
  expect(raw).toEqual([]);
});

test("every token that a stylesheet names is there, and every one is named", () => {
  const known = new Set([...tokens.matchAll(/(--(?:type|space|layer)-[\w-]+):/g)].map(([, name]) => name));
  const named = new Set(
    stylesheets.flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/var\((--(?:type|space|layer)-[\w-]+)\)/g)].map(
        ([, name]) => name,
      ),
    ),
  );
  expect([...named].toSorted()).toEqual([...known].toSorted());
});
