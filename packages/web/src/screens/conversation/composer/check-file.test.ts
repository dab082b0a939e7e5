import { attachmentBytesMax } from "@parley/contracts";
import { expect, test } from "vitest";
import { texts } from "../../../texts/texts.js";
import { checkFile } from "./check-file.js";

const labels = texts.conversation;
const zip = new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 0, 0]);
const file = (name: string, type: string, content: string | Uint8Array<ArrayBuffer>) =>
  new File([content], name, { type });
/** A character of two bytes lies across the end of the checked part. */
const longText = `x${"é".repeat(3_000)}`;

test.each([
  ["a picture", file("a.png", "image/png", zip), null],
  ["text that the browser calls a video", file("a.ts", "video/mp2t", "const a = 1;"), null],
  ["a drawing in XML", file("a.svg", "image/svg+xml", "<svg/>"), null],
  ["long text", file("a.json", "application/json", longText), null],
  ["what the browser has no name for", file("a", "", zip), null],
  ["an archive", file("a.zip", "application/zip", zip), labels.fileType("a.zip")],
  ["a picture of a type that is not accepted", file("a.heic", "image/heic", zip), labels.fileType("a.heic")],
  ["text in Latin-1", file("a.csv", "text/csv", new Uint8Array([0xe9, 0x74, 0xe9])), labels.fileType("a.csv")],
  ["an empty file", file("a.txt", "text/plain", ""), labels.fileEmpty("a.txt")],
])("a file is judged before it is sent: %s", async (_, chosen, reason) => {
  expect(await checkFile(chosen)).toBe(reason);
});

test("a file is refused from one byte above the limit", async () => {
  const ofSize = (bytes: number) => file("a.mp4", "video/mp4", new Uint8Array(bytes));
  expect(await checkFile(ofSize(attachmentBytesMax))).toBeNull();
  expect(await checkFile(ofSize(attachmentBytesMax + 1))).toBe(labels.fileTooLarge("a.mp4"));
});
