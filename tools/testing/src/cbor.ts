/** The input of {@link encodeCbor}; a map keeps the order of its entries. */
export type CborValue = number | string | Uint8Array | readonly CborValue[] | ReadonlyMap<CborValue, CborValue>;

/** CBOR (RFC 8949), as much of it as authenticators write: integers, texts, bytes, arrays and maps. */
export function encodeCbor(value: CborValue): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") {
    const text = Buffer.from(value);
    return Buffer.concat([head(3, text.length), text]);
  }
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map) {
    const entries = [...value].flatMap(([key, entry]) => [encodeCbor(key), encodeCbor(entry)]);
    return Buffer.concat([head(5, value.size), ...entries]);
  }
  const items = [...value].map((item) => encodeCbor(item));
  return Buffer.concat([head(4, items.length), ...items]);
}

/** A major type with its number, in the shortest form. */
function head(major: number, value: number): Buffer {
  const type = major << 5;
  if (value < 24) return Buffer.from([type | value]);
  if (value < 0x100) return Buffer.from([type | 24, value]);
  if (value < 0x1_0000) return Buffer.from([type | 25, value >> 8, value & 0xff]);
  const bytes = Buffer.alloc(5);
  bytes.writeUInt8(type | 26);
  bytes.writeUInt32BE(value, 1);
  return bytes;
}
