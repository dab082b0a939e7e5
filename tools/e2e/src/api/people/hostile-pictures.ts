import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { acceptedFiles, pngPixel } from "../stages/sample-files.js";

// Files that pretend to be pictures, made here so that none of them is stored in the repository.

const latin = (text: string) => Buffer.from(text, "latin1");
const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const pngSignature = hex("89504e470d0a1a0a");
function chunk(type: string, data: Uint8Array, checksum?: number): Buffer {
  const body = Buffer.concat([latin(type), data]);
  return Buffer.concat([uint32(data.length), body, uint32(checksum ?? crc32(body))]);
}
/** @param kind bit depth, colour type, compression, filter, interlace; hex */
const header = (width: number, height: number, kind = "08 00 00 00 00") =>
  chunk("IHDR", Buffer.concat([uint32(width), uint32(height), hex(kind)]));
const end = chunk("IEND", Buffer.alloc(0));
const png = (...chunks: Buffer[]) => Buffer.concat([pngSignature, ...chunks, end]);
/** The pixels of a black picture. */
const black = (bytes: number) => chunk("IDAT", deflateSync(Buffer.alloc(bytes), { level: 1 }));

const gifHead = (width: number, height: number) =>
  Buffer.concat([
    latin("GIF89a"),
    Buffer.from([width & 255, width >> 8, height & 255, height >> 8, 0x80, 0, 0]),
    Buffer.alloc(6),
  ]);
const gifFrame = (width: number, height: number, data = "02 02 44 01 00") =>
  Buffer.concat([
    hex("21f904 00 0100 00 00  2c 0000 0000"),
    Buffer.from([width & 255, width >> 8, height & 255, height >> 8, 0]),
    hex(data),
  ]);
/** @param edge of each frame; its pixels end after a few */
const gif = (width: number, height: number, frames: number, edge = 1) =>
  Buffer.concat([gifHead(width, height), ...Array.from({ length: frames }, () => gifFrame(edge, edge)), hex("3b")]);

const sampleOf = (mime: string) => acceptedFiles.find((file) => file.mime === mime)?.bytes ?? Buffer.alloc(0);
const jpegOf = (width: number, height: number) => {
  const size = Buffer.from([height >> 8, height & 255, width >> 8, width & 255]);
  return Buffer.concat([
    hex("ffd8 ffe0 0010 4a46494600 0101 00 0001 0001 0000 ffc0 000b 08"),
    size,
    hex("01 01 11 00"),
    hex("ffda 0008 01 01 00 00 3f 00 00 ffd9"),
  ]);
};
/** Incompressible, and always the same. */
function noise(bytes: number): Buffer {
  let state = 1;
  return Buffer.from(
    Array.from({ length: bytes }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 24;
    }),
  );
}
const photo = () => sharp(noise(300 * 200 * 3), { raw: { width: 300, height: 200, channels: 3 } });
const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);

/** Files that the api refuses by their first bytes. */
export const foreignFiles: readonly (readonly [what: string, bytes: Buffer])[] = [
  ["noise", noise(5_000)],
  ["text", latin("hello")],
  ["SVG", latin('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>')],
  [
    "SVG that asks for a file",
    latin('<?xml version="1.0"?><!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>'),
  ],
  ["a page", latin("<!doctype html><script>alert(1)</script>")],
  ["PDF", sampleOf("application/pdf")],
  ["MP4", sampleOf("video/mp4")],
  ["TIFF", hex("49492a00 08000000 0000 00000000")],
  ["BMP", Buffer.concat([latin("BM"), Buffer.alloc(60)])],
  ["AVIF", Buffer.concat([hex("00000018"), latin("ftypavif"), hex("00000000"), latin("mif1avif")])],
  ["JPEG XL", hex("0000000c 4a584c20 0d0a870a 00000000")],
  ["an icon", hex("00000100 0100 10100000 01002000 68040000 16000000")],
  ["ZIP", Buffer.concat([hex("504b0304"), Buffer.alloc(60)])],
];

/** Pictures by their first bytes that none can be made of. */
export async function brokenPictures(): Promise<(readonly [what: string, bytes: Buffer])[]> {
  const jpeg = await photo().jpeg().toBuffer();
  const webp = await photo().webp().toBuffer();
  const realPng = await photo().png().toBuffer();
  const realGif = await photo().gif().toBuffer();
  return [
    ["a PNG's signature", pngSignature],
    ["a PNG without pixels", png(header(10, 10))],
    [
      "a PNG with the wrong checksum",
      png(chunk("IHDR", Buffer.concat([uint32(1), uint32(1), hex("08 00 00 00 00")]), 1), black(2)),
    ],
    ["a PNG of no width", png(header(0, 10), black(10))],
    ["a PNG of a colour that there is not", png(header(10, 10, "08 05 00 00 00"), black(110))],
    ["a PNG whose pixels are noise", png(header(10, 10), chunk("IDAT", noise(100)))],
    ["half of a PNG", half(realPng)],
    ["a PNG that claims 20,000 x 20,000 pixels", png(header(20_000, 20_000), black(100))],
    ["a PNG with 20,000 x 20,000 pixels", png(header(20_000, 20_000, "01 00 00 00 00"), black(20_000 * 2_501))],
    ["a PNG of the largest width", png(header(2 ** 31 - 1, 1), black(100))],
    ["a PNG of the largest height", png(header(1, 2 ** 31 - 1, "10 06 00 00 01"), black(100))],
    ["a PNG's signature before a JPEG", Buffer.concat([pngSignature, jpeg])],
    ["the beginning of a JPEG", hex("ffd8ffe000104a464946")],
    ["a JPEG without a scan", sampleOf("image/jpeg")],
    ["half of a JPEG", half(jpeg)],
    ["a JPEG that claims 65,500 x 65,500 pixels", jpegOf(65_500, 65_500)],
    ["a JPEG of noise", Buffer.concat([hex("ffd8ffe0"), noise(5_000)])],
    ["a JPEG's beginning before a PNG", Buffer.concat([hex("ffd8ff"), pngPixel])],
    ["a GIF without a frame", sampleOf("image/gif")],
    ["a GIF that claims 65,535 x 65,535 pixels", gif(65_535, 65_535, 1, 65_535)],
    ["a GIF with 5,000 frames", gif(8, 8, 5_000)],
    ["a GIF with 300,000 frames", gif(1, 1, 300_000)],
    ["half of a GIF", half(realGif)],
    ["a GIF that is a script", latin(`GIF89a/*${"\x00".repeat(40)}*/=1;alert(1)//;`)],
    ["a GIF's beginning before a page", latin("GIF89a<!doctype html><script>alert(1)</script>")],
    ["a WebP without pixels", sampleOf("image/webp")],
    ["half of a WebP", half(webp)],
    [
      "a WebP that claims 16,384 x 16,384 pixels",
      Buffer.concat([latin("RIFF"), hex("20000000"), latin("WEBPVP8L"), hex("14000000 2f ffffff0f"), noise(15)]),
    ],
    ["a WebP of noise", Buffer.concat([webp.subarray(0, 30), noise(5_000)])],
    [
      "a WebP longer than its file",
      Buffer.concat([latin("RIFF"), hex("f0ffffff"), latin("WEBPVP8 "), hex("f0ffffff"), noise(50)]),
    ],
  ];
}

/** Pictures that are in order and much work, or hide something; they are scaled or refused, within the same bounds. */
export async function heavyPictures(): Promise<(readonly [what: string, bytes: Buffer])[]> {
  return [
    [
      "an interlaced PNG of 49 megapixels",
      png(header(7_000, 7_000, "08 06 00 00 01"), black(7_000 * 7_000 * 4 + 20_000)),
    ],
    ["a PNG that goes on for 200 MB behind its pixels", png(header(10, 10), black(200_000_000))],
    [
      "a PNG with a text of 100 MB",
      png(
        header(1, 1),
        chunk("zTXt", Buffer.concat([latin("x\0\0"), deflateSync(Buffer.alloc(100_000_000), { level: 1 })])),
        black(2),
      ),
    ],
    ["a GIF of 900 frames and 47 megapixels", gif(229, 229, 900)],
  ];
}
