/** LEB128: seven bits a byte, the lowest first; for integers of up to 53 bits. */
export function writeVarint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128));
  bytes.push(rest);
  return Buffer.from(bytes);
}

/** @returns the value that begins at an offset, and the offset after it */
export function readVarint(bytes: Buffer, offset: number): [value: number, next: number] {
  let value = 0;
  let factor = 1;
  for (let at = offset; ; at += 1) {
    const byte = bytes.readUInt8(at);
    value += (byte % 128) * factor;
    factor *= 128;
    if (byte < 128) return [value, at + 1];
  }
}
