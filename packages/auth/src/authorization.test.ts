import { describe, expect, test } from "vitest";
import { parseAuthorization, rejectionText } from "./authorization.js";

describe("parseAuthorization", () => {
  test.each([
    ["Bearer abc.def.ghi", { scheme: "bearer", credential: "abc.def.ghi" }],
    ["bearer abc", { scheme: "bearer", credential: "abc" }],
    ["BEARER   abc", { scheme: "bearer", credential: "abc" }],
    ["Bot 00ff", { scheme: "bot", credential: "00ff" }],
    ["bOT 00ff ", { scheme: "bot", credential: "00ff" }],
    [undefined, null],
    ["", null],
    ["Bearer", null],
    ["Bearer ", null],
    ["Bearer a b", null],
    ["Basic dXNlcjpwYXNz", null],
    ["constructor abc", null],
    ["abc.def.ghi", null],
  ])("the header Authorization %j is read as %j", (header, expected) =>
    expect(parseAuthorization(header)).toEqual(expected),
  );

  test("parseAuthorization takes no longer for a header of many blanks", () => {
    // The least of several, because a busy machine may interrupt one.
    const leastMs = (blanks: number) => {
      const times = Array.from({ length: 20 }, () => {
        const startedAt = performance.now();
        expect(parseAuthorization(`Bearer${" ".repeat(blanks)}`)).toBeNull();
        return performance.now() - startedAt;
      });
      return Math.min(...times);
    };
    // 64 times as many, which cost 4,096 times as much if each blank were tried with every other.
    expect(leastMs(64_000) / leastMs(1_000)).toBeLessThan(1_000);
  });
});

describe("rejectionText", () => {
  test.each([
    [null, "Invalid or expired token"],
    [{ scheme: "bearer", credential: "x" } as const, "Invalid or expired token"],
    [{ scheme: "bot", credential: "x" } as const, "Invalid or revoked bot token"],
  ])("the text of the rejection for %j is %s", (credential, text) => expect(rejectionText(credential)).toBe(text));
});
