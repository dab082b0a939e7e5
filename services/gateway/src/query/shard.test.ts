import { describe, expect, test } from "vitest";
import { crc32, isInShard } from "./shard.js";

describe("the division into shards", () => {
  test("the division into shards computes CRC-32/ISO-HDLC: the check value of the catalogue, and values with the highest bit set", () => {
    expect(crc32("123456789")).toBe(0xcbf43926);
    expect(crc32("")).toBe(0);
    expect(crc32("0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60")).toBe(0xe11d6b4f);
  });

  test("the division into shards puts every server into exactly one of n shards", () => {
    const crc = crc32("0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60");
    for (const count of [1, 2, 3, 1_024]) {
      const shards = Array.from({ length: count }, (_, index) => ({ index, count }));
      expect(shards.filter((shard) => isInShard(shard, crc))).toEqual([{ index: 0xe11d6b4f % count, count }]);
      expect(shards.filter((shard) => isInShard(shard, null))).toEqual([{ index: 0, count }]);
    }
    expect([isInShard(null, crc), isInShard(null, null)]).toEqual([true, true]);
  });
});
