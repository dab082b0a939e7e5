import { describe, expect, test } from "vitest";
import { excerptOf } from "./excerpt.js";

/** The excerpt as text, with `[` and `]` around matches. */
const shown = (content: string, ranges: [number, number][]) =>
  excerptOf(content, ranges)
    .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
    .join("");

describe("the excerpt of a search result", () => {
  test("the matches are marked, and markup stays text", () => {
    expect(shown("a <b>knight</b> on f3", [[5, 6]])).toBe("a <b>[knight]</b> on f3");
    expect(
      shown("a knight on f3", [
        [2, 6],
        [12, 2],
      ]),
    ).toBe("a [knight] on [f3]");
  });

  test("a long message is shown around its first match, in whole characters", () => {
    const before = "so many words ".repeat(20);
    const content = `${before}knight ${"♞🐴".repeat(200)}`;
    const text = shown(content, [[before.length, 6]]);
    expect(text).toMatch(/^…(?:so|many|words) .*\[knight\] /);
    expect(text.length).toBeLessThan(300);
    expect(text).not.toMatch(/[\ud800-\udfff]/u);
    expect(text).toMatch(/…$/);
  });

  test("spoilers stay hidden, with the matches in them", () => {
    expect(
      shown("the knight dies: ||the knight wins||", [
        [4, 6],
        [23, 6],
      ]),
    ).toBe("the [knight] dies: ▒▒▒▒");
    expect(shown("||knight||", [[2, 6]])).toBe("▒▒▒▒");
  });
});
