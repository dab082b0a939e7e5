const finalTextFrame = 0x81;

/**
 * One unmasked, unfragmented WebSocket text frame (RFC 6455, 5.2), ready for any number of sockets.
 *
 * @param payload UTF-8 bytes; copied, so they may be overwritten afterwards
 */
export function encodeTextFrame(payload: Uint8Array): Buffer {
  const { length } = payload;
  const headerLength = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerLength + length);
  frame[0] = finalTextFrame;
  if (headerLength === 2) {
    frame[1] = length;
  } else if (headerLength === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeUInt32BE(Math.floor(length / 2 ** 32), 2);
    frame.writeUInt32BE(length % 2 ** 32, 6);
  }
  frame.set(payload, headerLength);
  return frame;
}
