import fc from "fast-check";
import { expect, test } from "vitest";
import { isAudioOnlyWebm } from "./webm-tracks.js";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
const header = "1a45dfa3 87 4282 84 7765626d";
const video = "ae 83 83 81 01";
const audio = "ae 83 83 81 02";

test.each([
  ["sound in a segment of known length", `${header} 18538067 8b 1654ae6b 86 ${audio}`, true],
  ["sound in a segment of open length", `${header} 18538067 01ffffffffffffff 1654ae6b 85 ${audio}`, true],
  ["sound after other elements", `${header} 18538067 ff 1549a966 82 ec80 ec 81 00 1654ae6b 85 ${audio}`, true],
  ["video", `${header} 18538067 ff 1654ae6b 85 ${video}`, false],
  ["sound and video", `${header} 18538067 ff 1654ae6b 8a ${audio} ${video}`, false],
  ["no tracks within the head", `${header} 18538067 ff 1549a966 40ff`, false],
  ["nothing", "", false],
])("the tracks show whether a WebM is audio only: %s", (_, bytes, expected) => {
  expect(isAudioOnlyWebm(hex(bytes))).toBe(expected);
});

test.each([
  ["segments", "18538067ff"],
  ["tracks", "ae ff"],
])("%s in each other, 50,000 levels deep, are no tracks of a WebM file", (_, element) => {
  expect(isAudioOnlyWebm(Buffer.concat([hex(header), Buffer.alloc(256 * 1024, hex(element))]))).toBe(false);
});

test("reading the tracks ends for any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      isAudioOnlyWebm(Buffer.concat([hex(`${header} 18538067 ff 1654ae6b ff`), bytes]));
    }),
  );
});
