import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { detectType } from "./detect-type.js";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
const latin = (text: string) => Buffer.from(text, "latin1");
const png = (chunk: string, data: Buffer) =>
  Buffer.concat([hex("89504e470d0a1a0a"), lengthOf(data), latin(chunk), data, Buffer.alloc(4)]);
const lengthOf = (data: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return length;
};
const header = png("IHDR", Buffer.alloc(13));

test.each([
  ["a PNG whose second chunk is cut", Buffer.concat([header, hex("00ffffff"), latin("iCCP")]), "image/png"],
  ["an animated PNG", Buffer.concat([header, hex("00000008"), latin("acTL"), Buffer.alloc(12)]), "image/png"],
  [
    "an MP3 that begins with a tag longer than the head",
    Buffer.concat([latin("ID3"), hex("0300007f7f7f7f"), Buffer.alloc(99)]),
    "audio/mpeg",
  ],
  [
    "an MP3 with an empty tag and nothing recognisable after it",
    Buffer.concat([latin("ID3"), hex("04000000000000"), Buffer.alloc(99)]),
    "audio/mpeg",
  ],
  ["an MP3 without a tag", hex("fffb9064 00000000"), "audio/mpeg"],
  ["Ogg of an unknown codec", Buffer.concat([latin("OggS"), Buffer.alloc(60)]), "audio/ogg"],
  [
    "Ogg with video",
    Buffer.concat([latin("OggS"), Buffer.alloc(24), hex("80"), latin("theora"), Buffer.alloc(20)]),
    "video/ogg",
  ],
  ["gzip that would be inflated to its end", gzipSync(Buffer.alloc(1_000_000)), "application/gzip"],
  ["UTF-16 text", Buffer.from("\ufeffhello", "utf16le"), null],
  ["a page", Buffer.from("<!doctype html><title>x</title>"), null],
  ["one letter", Buffer.from("x"), null],
  ["nothing", Buffer.alloc(0), null],
])("the bytes of %s are detected as %s", async (_, head, expected) => {
  expect(await detectType(head)).toBe(expected);
});
