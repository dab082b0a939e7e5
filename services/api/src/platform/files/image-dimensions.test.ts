import { expect, test } from "vitest";
import { readDimensions } from "./image-dimensions.js";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
const jfif = "ffe0 0010 4a46494600 0101 00 0001 0001 0000";
const frame = "ffc0 000b 08 0030 0040 01 01 11 00 ffd9";
const exif = (orientation: string) =>
  `ffe1 0022 457869660000 4d4d002a00000008 0001 0112 0003 00000001 ${orientation} 0000 00000000`;

test("the dimensions are those in which the image is shown, also of one that lies on its side", () => {
  expect(readDimensions(hex(`ffd8 ${jfif} ${frame}`))).toEqual({ width: 64, height: 48 });
  expect(readDimensions(hex(`ffd8 ${exif("0001")} ${frame}`))).toEqual({ width: 64, height: 48 });
  expect(readDimensions(hex(`ffd8 ${exif("0006")} ${frame}`))).toEqual({ width: 48, height: 64 });
});

test("the dimensions of a JPEG are found behind a few hundred segments, and not behind more than are in use", () => {
  const behind = (segments: number) => hex(`ffd8 ${"ffe10002".repeat(segments)} ${frame}`);
  expect(readDimensions(behind(500))).toEqual({ width: 64, height: 48 });
  expect(readDimensions(behind(50_000))).toBeNull();
});

test.each([
  ["a signature and nothing else", "89504e470d0a1a0a"],
  ["an image of no size", "474946383961 0000 0000 80 00 00"],
  ["no image", "00010203"],
  ["nothing", ""],
])("no dimensions are found in %s", (_, bytes) => {
  expect(readDimensions(hex(bytes))).toBeNull();
});
