import { crc32, deflateSync } from "node:zlib";

/** Red, green and blue, each from 0 to 255. */
export type Colour = readonly [number, number, number];

const signature = Buffer.from("89504e470d0a1a0a", "hex");

/** A picture as a PNG file; `colourAt` is asked for every pixel. */
export function drawPng(width: number, height: number, colourAt: (x: number, y: number) => Colour): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  let at = 0;
  for (let y = 0; y < height; y += 1) {
    // Filter 0: the bytes as they are.
    at += 1;
    for (let x = 0; x < width; x += 1) {
      for (const part of colourAt(x, y)) rows[at++] = Math.max(0, Math.min(255, Math.round(part)));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits for each of red, green and blue.
  header.set([8, 2], 8);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
