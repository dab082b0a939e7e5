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
    const times = Array.from({ length: 5 }, () => {
      const startedAt = performance.now();
      expect(parseAuthorization(`Bearer${" ".repeat(15_000)}`)).toBeNull();
      return performance.now() - startedAt;
    });
    // Of several, because a busy machine may interrupt one.
    expect(Math.min(...times)).toBeLessThan(50);
  });
});

describe("rejectionText", () => {
  test.each([
    [null, "Invalid or expired token"],
    [{ scheme: "bearer", credential: "x" } as const, "Invalid or expired token"],
    [{ scheme: "bot", credential: "x" } as const, "Invalid or revoked bot token"],
  ])("the text of the rejection for %j is %s", (credential, text) => expect(rejectionText(credential)).toBe(text));
});
