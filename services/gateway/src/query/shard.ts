/** A part of a user's servers: those whose ids' CRC-32 modulo `count` is `index` (docs/protocol/connecting.md#20.4). */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Reflected polynomial of CRC-32/ISO-HDLC, the CRC of zlib. */
const polynomial = 0xedb88320;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit += 1) remainder = (remainder >>> 1) ^ ((remainder & 1) * polynomial);
  return remainder;
});

/** CRC-32/ISO-HDLC of an ASCII text, from 0 to 2^32 - 1. `zlib.crc32` exists from Node.js 22.2 on only. */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text, "latin1")) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

/**
 * Whether something belongs to a shard; null contains everything.
 *
 * @param serverCrc {@link crc32} of the server's id in lower case; null for events without a server, which are in shard
 * 0
 */
export function isInShard(shard: Shard | null, serverCrc: number | null): boolean {
  if (shard === null) return true;
  return serverCrc === null ? shard.index === 0 : serverCrc % shard.count === shard.index;
}
