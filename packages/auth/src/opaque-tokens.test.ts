import { describe, expect, test } from "vitest";
import {
  deriveSuccessor,
  generateToken,
  hashToken,
  isGeneratedToken,
  openSealedToken,
  sealToken,
} from "./opaque-tokens.js";

describe("generated tokens", () => {
  test("generated tokens are 64 lower-case hex characters and never the same", () => {
    const many = Array.from({ length: 1000 }, generateToken);
    expect(many.every((token) => /^[0-9a-f]{64}$/.test(token))).toBe(true);
    expect(new Set(many).size).toBe(1000);
  });

  test.each([
    ["a generated one", generateToken(), true],
    ["upper case", "A".repeat(64), false],
    ["63 characters", "a".repeat(63), false],
    ["a line break at the end", `${"a".repeat(64)}\n`, false],
    ["no hex", "g".repeat(64), false],
    ["nothing", undefined, false],
    ["a list of one", ["a".repeat(64)], false],
  ])("the form of a generated token is recognised: %s", (_text, value, expected) =>
    expect(isGeneratedToken(value)).toBe(expected),
  );
});

describe("hashToken", () => {
  test("the hash of a token is SHA-256 in hex", () => {
    expect(hashToken("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});

describe("a sealed token", () => {
  const [key, token] = [generateToken(), generateToken()];
  test("a sealed token is read with the same key, and looks different each time", () => {
    const sealed = sealToken(key, token);
    expect(openSealedToken(key, sealed)).toBe(token);
    expect(sealToken(key, token)).not.toBe(sealed);
    expect(sealed).not.toContain(token);
  });

  test("a sealed token is not read with another key, with the stored hash of the key, or after a change", () => {
    const sealed = sealToken(key, token);
    expect(() => openSealedToken(generateToken(), sealed)).toThrow();
    expect(() => openSealedToken(hashToken(key), sealed)).toThrow();
    expect(() => openSealedToken(key, `${sealed.startsWith("A") ? "B" : "A"}${sealed.slice(1)}`)).toThrow();
    expect(() => openSealedToken(key, "")).toThrow();
  });
});

describe("deriveSuccessor", () => {
  const token = generateToken();
  test("deriveSuccessor gives the same successor to the same token, and another to every other token and secret", () => {
    const successor = deriveSuccessor("s1", token);
    expect(deriveSuccessor("s1", token)).toBe(successor);
    expect(deriveSuccessor("s1", generateToken())).not.toBe(successor);
    expect(deriveSuccessor("s2", token)).not.toBe(successor);
  });

  test("deriveSuccessor has at least 256 bits and can be succeeded in turn", () => {
    const successor = deriveSuccessor("s1", token);
    expect(successor).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(deriveSuccessor("s1", successor)).not.toBe(successor);
  });
});
