/** Milliseconds of 2015-01-01, where Discord's identifiers begin. */
const epochMs = 1_420_070_400_000;
const timestampBitsMax = 42n;
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The identifiers that one snowflake stands for: from the first to the last, both included. */
export interface IdRange {
  readonly from: string;
  readonly to: string;
}

/**
 * The snowflake of a UUIDv7: milliseconds since 2015, 12 bits of `rand_a`, 10 bits of `rand_b` (docs/discord.md#addresses).
 *
 * @returns decimal digits; null for an identifier of another version, or from before 2015
 */
export function toSnowflake(uuid: string): string | null {
  if (!uuidV7.test(uuid)) return null;
  const ms = Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16) - epochMs;
  if (ms < 0) return null;
  const randA = Number.parseInt(uuid.slice(15, 18), 16);
  const randB = (Number.parseInt(uuid.slice(19, 23), 16) >> 4) & 0x3ff;
  return ((BigInt(ms) << 22n) | BigInt((randA << 10) | randB)).toString();
}

/** Whether an object has a snowflake: others are left out. */
export const isShown = ({ id }: { readonly id: string }): boolean => toSnowflake(id) !== null;

/** The snowflake of an identifier that an object names; 0 for one that has none. */
export const snowflakeOf = (uuid: string): string => toSnowflake(uuid) ?? "0";

/**
 * The UUIDs that have this snowflake: 76 of their bits are known, so they are one range of a primary key.
 *
 * @param snowflake decimal digits
 * @returns null for a text that is no snowflake
 */
export function rangeOf(snowflake: string): IdRange | null {
  if (!/^\d{1,20}$/.test(snowflake)) return null;
  const value = BigInt(snowflake);
  if (value >> (22n + timestampBitsMax) !== 0n) return null;
  const ms = (Number(value >> 22n) + epochMs).toString(16).padStart(12, "0");
  const low = Number(value & 0x3fffffn);
  const randA = (low >> 10).toString(16).padStart(3, "0");
  const group = 0x8000 | ((low & 0x3ff) << 4);
  const head = `${ms.slice(0, 8)}-${ms.slice(8)}-7${randA}`;
  return {
    from: `${head}-${group.toString(16)}-000000000000`,
    to: `${head}-${(group | 0xf).toString(16)}-ffffffffffff`,
  };
}

/** When an identifier was made, in milliseconds since 1970. */
export function timeOf(snowflake: string): number {
  return Number(BigInt(snowflake) >> 22n) + epochMs;
}
