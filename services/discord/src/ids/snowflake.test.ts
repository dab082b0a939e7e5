import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rangeOf, timeOf, toSnowflake } from "./snowflake.js";

/** UUIDs of version 7 from 2015 on. */
const uuids = fc
  .tuple(fc.integer({ min: 1_420_070_400_000, max: 2 ** 42 }), fc.bigInt({ min: 0n, max: 2n ** 74n - 1n }))
  .map(([ms, random]) => {
    const bits =
      (BigInt(ms) << 80n) | (7n << 76n) | ((random >> 62n) << 64n) | (2n << 62n) | (random & (2n ** 62n - 1n));
    const hex = bits.toString(16).padStart(32, "0");
    return [0, 8, 12, 16, 20].map((from, at, all) => hex.slice(from, all[at + 1])).join("-");
  });

describe("a snowflake", () => {
  test("leads back to a range that contains its UUID, and to no UUID with another one", () => {
    fc.assert(
      fc.property(uuids, uuids, (uuid, other) => {
        const snowflake = toSnowflake(uuid) ?? "";
        const range = rangeOf(snowflake);
        expect(range !== null && range.from <= uuid && uuid <= range.to).toBe(true);
        expect(range !== null && range.from <= other && other <= range.to).toBe(toSnowflake(other) === snowflake);
        expect(toSnowflake(range?.from ?? "")).toBe(snowflake);
        expect(toSnowflake(range?.to ?? "")).toBe(snowflake);
        expect(timeOf(snowflake)).toBe(Number.parseInt(uuid.replaceAll("-", "").slice(0, 12), 16));
      }),
    );
  });

  test("sorts as its UUID", () => {
    fc.assert(
      fc.property(uuids, uuids, (one, two) => {
        const [before, after] = [one, two].sort().map((uuid) => BigInt(toSnowflake(uuid) ?? 0));
        expect((before ?? 1n) <= (after ?? 0n)).toBe(true);
      }),
    );
  });

  test.each([
    "a UUID of version 4",
    "00000000-0000-4000-8000-000000000000",
    // 2014-12-31
    "014a9f5f-a3ff-7000-8000-000000000000",
    "0190a5b4-7c1d-7e3a-7f00-1b2c3d4e5f60",
    "",
  ])("does not exist for %j", (text) => {
    expect(toSnowflake(text)).toBeNull();
  });

  test.each(["", "x", "-1", "1.5", "18446744073709551616", "0x1", " 1"])("is not %j", (text) => {
    expect(rangeOf(text)).toBeNull();
  });
});
