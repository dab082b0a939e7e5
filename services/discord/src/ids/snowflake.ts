import { snowflakeEpochMs as epochMs, toSnowflake } from "@parley/contracts";

export { toSnowflake };

const timestampBitsMax = 42n;

/** The identifiers that one snowflake stands for: from the first to the last, both included. */
export interface IdRange {
  readonly from: string;
  readonly to: string;
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
