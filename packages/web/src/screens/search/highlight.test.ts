import { describe, expect, test } from "vitest";
import { partsOfHighlight } from "./highlight.js";

describe("the excerpt of a search result", () => {
  test("the excerpt of a search result is text in pieces, with the matching ones marked", () => {
    expect(partsOfHighlight("a <mark>knight</mark> on <mark>f3</mark>")).toEqual([
      { text: "a ", isMatch: false },
      { text: "knight", isMatch: true },
      { text: " on ", isMatch: false },
      { text: "f3", isMatch: true },
    ]);
  });

  test("the excerpt of a search result shows markup that somebody wrote as the text that it was", () => {
    expect(partsOfHighlight("&lt;img src=x&gt; &amp;lt; <mark>&quot;x&quot;</mark>")).toEqual([
      { text: "<img src=x> &lt; ", isMatch: false },
      { text: '"x"', isMatch: true },
    ]);
  });
});
