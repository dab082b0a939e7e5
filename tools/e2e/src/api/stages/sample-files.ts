import { randomBytes } from "node:crypto";
import sharp from "sharp";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
const latin = (text: string) => Buffer.from(text, "latin1");

/** The smallest PNG: one pixel. */
export const pngPixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

/** Noise, which no format makes small: of these sizes more than 200 KB, so that it gets a thumbnail. */
export const noise = (width: number, height: number) =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });

/** A WebM file up to its list of tracks; the segment does not know its length, as when a browser records. */
const webm = (trackType: "01" | "02") =>
  hex(`1a45dfa3 87 4282 84 7765626d  18538067 01ffffffffffffff  1654ae6b 85 ae 83 83 81 ${trackType}  1f43b675 80`);

const oggPage = (packet: Buffer) =>
  Buffer.concat([latin("OggS"), Buffer.alloc(22), Buffer.from([1, packet.length]), packet]);

/** One file of each accepted type (docs/protocol/messages.md#7.6), as its type is detected, with the size of images. */
export const acceptedFiles: readonly {
  readonly name: string;
  readonly mime: string;
  readonly bytes: Buffer;
  readonly size?: { readonly width: number; readonly height: number };
}[] = [
  { name: "pixel.png", mime: "image/png", bytes: pngPixel, size: { width: 1, height: 1 } },
  {
    name: "photo.jpg",
    mime: "image/jpeg",
    bytes: hex("ffd8 ffe0 0010 4a46494600 0101 00 0001 0001 0000 ffc0 000b 08 0030 0040 01 01 11 00 ffd9"),
    size: { width: 64, height: 48 },
  },
  {
    name: "dance.gif",
    mime: "image/gif",
    bytes: Buffer.concat([latin("GIF89a"), hex("0500 0700 80 00 00 000000 ffffff 3b")]),
    size: { width: 5, height: 7 },
  },
  {
    name: "sticker.webp",
    mime: "image/webp",
    bytes: Buffer.concat([latin("RIFF"), hex("16000000"), latin("WEBPVP8X"), hex("0a000000 00000000 090000 130000")]),
    size: { width: 10, height: 20 },
  },
  {
    name: "clip.mp4",
    mime: "video/mp4",
    bytes: Buffer.concat([hex("00000018"), latin("ftypisom"), hex("00000200"), latin("isommp42")]),
  },
  { name: "clip.webm", mime: "video/webm", bytes: webm("01") },
  { name: "voice.webm", mime: "audio/webm", bytes: webm("02") },
  {
    name: "song.mp3",
    mime: "audio/mpeg",
    bytes: Buffer.concat([latin("ID3"), hex("03 00 00 00 00 00 0a"), Buffer.alloc(40)]),
  },
  {
    name: "voice.ogg",
    mime: "audio/ogg",
    bytes: oggPage(Buffer.concat([latin("OpusHead"), hex("01 02 3801 80bb0000 0000 00")])),
  },
  { name: "paper.pdf", mime: "application/pdf", bytes: latin("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n") },
  { name: "notes.txt", mime: "text/plain", bytes: Buffer.from("plain text, also ünïcode 🎈\n") },
];
