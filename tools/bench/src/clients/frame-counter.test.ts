import fc from "fast-check";
import { expect, test } from "vitest";
import { FrameCounter } from "./frame-counter.js";

/** A frame as a server sends it. */
function frame(opcode: number, length: number): Buffer {
  const header = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  header[0] = 0x80 | opcode;
  header[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (header.length === 4) header.writeUInt16BE(length, 2);
  if (header.length === 10) header.writeBigUInt64BE(BigInt(length), 2);
  // Bytes that would be read as headers if anything was out of step.
  return Buffer.concat([header, Buffer.alloc(length, 0x81)]);
}

const lengths = fc.constantFrom(0, 1, 125, 126, 127, 350, 65_535, 65_536, 70_000);
const opcodes = fc.constantFrom(0x1, 0x2, 0x9, 0xa);

test("the frame counter counts the data frames of one length and the pongs and hands over payloads, however the bytes are cut", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(opcodes, lengths), { minLength: 1, maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 50 }),
      (frames, cuts) => {
        const bytes = Buffer.concat(frames.map(([opcode, length]) => frame(opcode, length)));
        const payloads: Buffer[] = [];
        const counter = new FrameCounter((from, start, end) => payloads.push(Buffer.from(from.subarray(start, end))));
        let found = 0;
        let at = 0;
        for (const cut of cuts) {
          // The reader's buffer is used again for the next bytes.
          const chunk = Buffer.from(bytes.subarray(at, at + cut));
          found += counter.read(chunk, 350);
          chunk.fill(0xff);
          at += cut;
        }
        found += counter.read(Buffer.from(bytes.subarray(at)), 350);
        const data = frames.filter(([opcode]) => opcode < 8);
        expect(counter.frames).toBe(data.length);
        expect(payloads.every((payload) => payload.every((byte) => byte === 0x81))).toBe(true);
        expect(payloads.map(({ length }) => length)).toEqual(data.map(([, length]) => length));
        expect(counter.pongs).toBe(frames.filter(([opcode]) => opcode === 0xa).length);
        expect(found).toBe(data.filter(([, length]) => length === 350).length);
      },
    ),
    { numRuns: 200 },
  );
});

test("the frame counter does not count a frame whose last byte is missing", () => {
  const counter = new FrameCounter();
  const bytes = frame(1, 350);
  expect(counter.read(bytes.subarray(0, -1), 350)).toBe(0);
  expect(counter.read(bytes.subarray(-1), 350)).toBe(1);
});
