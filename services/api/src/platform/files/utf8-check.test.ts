import fc from "fast-check";
import { expect, test } from "vitest";
import { Utf8Check } from "./utf8-check.js";

/** Cuts bytes at the given places. */
function chunksOf(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

function isText(chunks: readonly Uint8Array[]): boolean {
  const check = new Utf8Check();
  return chunks.every((chunk) => check.add(chunk)) && check.end();
}

function decodes(bytes: Uint8Array): boolean {
  try {
    return !new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).includes("\0");
  } catch {
    return false;
  }
}

const cuts = fc.array(fc.nat(400), { maxLength: 8 });

test("text is text wherever it is cut", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 100 }), cuts, (text, at) => {
      const bytes = Buffer.from(text.toWellFormed().replaceAll("\0", ""));
      expect(isText(chunksOf(bytes, at))).toBe(true);
    }),
  );
});

test("the check agrees with a decoder of the whole about any bytes, wherever they are cut", () => {
  const parts = fc.constantFrom(
    [0x41],
    [0xc3, 0xa9],
    [0xe2, 0x82, 0xac],
    [0xf0, 0x9f, 0x8e, 0x88],
    [0xc3],
    [0xf0, 0x9f],
    [0x80],
    [0xff],
    [0xed, 0xa0, 0x80],
    [0],
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), cuts, (pieces, at) => {
      const bytes = Uint8Array.from(pieces.flat());
      expect(isText(chunksOf(bytes, at))).toBe(decodes(bytes));
    }),
    { numRuns: 2_000 },
  );
});
