const finalTextFrame = 0x81;

/** The payload of a frame of `encodeTextFrame`: the same memory. */
export function payloadOf(frame: Buffer): Buffer {
  const length = frame.readUInt8(1);
  return frame.subarray(length < 126 ? 2 : length === 126 ? 4 : 10);
}

/** Bytes of a text frame with a payload of `length` bytes. */
export function textFrameLength(length: number): number {
  return headerLengthOf(length) + length;
}

function headerLengthOf(length: number): number {
  return length < 126 ? 2 : length < 65_536 ? 4 : 10;
}

/** Writes the header of a text frame with `length` bytes of payload. @returns its length */
export function writeTextFrameHeader(target: Buffer, at: number, length: number): number {
  target[at] = finalTextFrame;
  if (length < 126) {
    target[at + 1] = length;
  } else if (length < 65_536) {
    target[at + 1] = 126;
    target.writeUInt16BE(length, at + 2);
  } else {
    target[at + 1] = 127;
    target.writeUInt32BE(Math.floor(length / 2 ** 32), at + 2);
    target.writeUInt32BE(length % 2 ** 32, at + 6);
  }
  return headerLengthOf(length);
}

/** The header of a text frame with `length` bytes of payload. */
export function textFrameHeader(length: number): Buffer {
  const header = Buffer.allocUnsafe(headerLengthOf(length));
  writeTextFrameHeader(header, 0, length);
  return header;
}
