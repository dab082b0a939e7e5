import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { checkPattern } from "./check-pattern.js";
import { buildPatternSet } from "./pattern-set.js";

function finish<T>(steps: Generator<void, T, void>): { value: T; steps: number } {
  for (let count = 1; ; count += 1) {
    const step = steps.next();
    if (step.done) return { value: step.value, steps: count };
  }
}
const setOf = (patterns: readonly string[]) =>
  finish(
    buildPatternSet(
      patterns.map((pattern) => {
        const check = checkPattern(pattern);
        if ("fault" in check) throw new Error(check.fault);
        return { pattern, size: check.size };
      }),
    ),
  ).value;
const search = (patterns: readonly string[], text: string) => finish(setOf(patterns).search(text)).value;

describe("a set of patterns", () => {
  test.each([
    [["a+b", "^b", "c$", "\\bword\\b"], "xaab word c", [0, 2, 3]],
    [["(?i)free\\s+nitro", "nitro$"], "get FREE  Nitro now", [0]],
    [["😀{2}", "\\p{Cyrillic}+!"], "so 😀😀 да!", [0, 1]],
    [["x*"], "", [0]],
    [["^$", "(?m)^b$"], "a\nb\nc", [1]],
    [[], "text", []],
  ])("of %j finds in %j those at %j", (patterns, text, expected) => {
    expect(search(patterns, text)).toEqual(expected);
  });

  test("finds what the library finds with each pattern alone, also where its memory runs out", () => {
    const pieces = ["a", "b", "[^a]", ".", "(a|bb)", "\\b", "^", "$", "a*", "b{2,30}", "(?:ab?){1,9}", "[ab]{40}"];
    const pattern = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 }).map((all) => all.join(""));
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "😀"), maxLength: 300 });
    fc.assert(
      fc.property(fc.array(pattern, { maxLength: 12 }), text, (patterns, content) => {
        const usable = patterns.filter((one) => "size" in checkPattern(one));
        const expected = usable.flatMap((one, index) => (RE2JS.compile(one).test(content) ? [index] : []));
        expect(search(usable, content)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  test("searches a hostile text for hostile patterns in many short steps", () => {
    let random = 1;
    const text = Array.from({ length: 4_000 }, () => {
      random = (random * 48_271) % 2_147_483_647;
      return "ab"[random % 2];
    }).join("");
    const set = setOf(Array.from({ length: 20 }, (_, n) => `(?s)a.{${200 + n}}a.{${200 + n}}z`));
    finish(set.search(text.slice(0, 100)));
    const outcome = finish(set.search(text));
    expect(outcome.value).toEqual([]);
    expect(outcome.steps).toBeGreaterThan(100);
  });
});

describe("a pattern is refused", () => {
  test.each([
    ["a(b", "missing closing )", 4],
    ["[a-z", "missing closing ]", 5],
    ["ab(?=c)", "invalid or unsupported Perl syntax", 3],
    ["😀a\\q", "invalid escape sequence", 3],
    ["x{1001}", "invalid repeat count", 2],
    ["(a)\\1", "invalid escape sequence", 4],
    ["(?s).{600}", "pattern too large", 1],
  ])("%j: %s at position %i", (pattern, fault, position) => {
    expect(checkPattern(pattern)).toEqual({ fault, position });
  });

  test("not for its length alone", () => {
    expect(checkPattern("é".repeat(260))).toEqual({ size: expect.any(Number) });
  });
});
