import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bothSchemes, luminanceOf } from "./readable-color.js";

const theme = readFileSync(new URL("tokens.css", import.meta.url), "utf8");

/** The surfaces on which names stand, in the light and in the dark scheme. */
const surfaces = ["--surface-1", "--surface-2", "--surface-hover"].map((name) => {
  const [, light, dark] = theme.match(new RegExp(`${name}: light-dark\\((#\\w+), (#\\w+)\\)`)) ?? [];
  if (light === undefined || dark === undefined) throw new Error(`${name} has no colours`);
  return [light, dark].map((hex) => luminanceOf([1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))));
});
const contrast = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);

test("every role colour can be read on every surface, in both schemes", () => {
  const parts = ["00", "33", "66", "99", "cc", "ff"];
  for (const red of parts) {
    for (const green of parts) {
      for (const blue of parts) {
        const hex = `#${red}${green}${blue}`;
        for (const [scheme, channels] of bothSchemes(hex).entries()) {
          for (const surface of surfaces) {
            expect(contrast(luminanceOf(channels), surface[scheme] ?? Number.NaN), hex).toBeGreaterThanOrEqual(4.5);
          }
        }
      }
    }
  }
});

test.each([
  { name: "a colour that can be read stays as it is", hex: "#f1c40f", light: null, dark: [241, 196, 15] },
  { name: "a dark blue stays as it is on light surfaces", hex: "#0b3d91", light: [11, 61, 145], dark: null },
  { name: "pure blue becomes lighter, and stays blue", hex: "#0000ff", light: [0, 0, 255], dark: [151, 151, 255] },
])("a colour of a role is readable on its background: $name", ({ hex, light, dark }) => {
  const shown = bothSchemes(hex);
  if (light !== null) expect(shown[0]).toEqual(light);
  if (dark !== null) expect(shown[1]).toEqual(dark);
});
