/** Milliseconds of 2015-01-01, where Discord's identifiers begin. */
export const snowflakeEpochMs = 1_420_070_400_000;
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * The snowflake of a UUIDv7: milliseconds since 2015, 12 bits of `rand_a`, 10 bits of `rand_b` (docs/discord.md#addresses).
 *
 * @returns decimal digits; null for an identifier of another version, or from before 2015
 */
export function toSnowflake(uuid: string): string | null {
  if (!uuidV7.test(uuid)) return null;
  const ms = Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16) - snowflakeEpochMs;
  if (ms < 0) return null;
  const randA = Number.parseInt(uuid.slice(15, 18), 16);
  const randB = (Number.parseInt(uuid.slice(19, 23), 16) >> 4) & 0x3ff;
  return ((BigInt(ms) << 22n) | BigInt((randA << 10) | randB)).toString();
}

/** A bot's token in the form from which libraries for Discord's API read the account (docs/discord.md#addresses). */
export const discordToken = (userId: string, token: string): string =>
  `${btoa(toSnowflake(userId) ?? "0").replace(/=+$/, "")}.x.${token}`;
