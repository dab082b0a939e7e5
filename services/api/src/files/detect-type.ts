import { fileTypeFromBuffer } from "file-type";
import { isAudioOnlyWebm } from "./webm-tracks.js";

/**
 * Signatures of accepted types whose files the library wants to see more of than the head may hold: a PNG's first
 * chunks, what follows an ID3 tag, the first packet of Ogg.
 */
const signatures = [
  { mime: "image/png", start: "\x89PNG\r\n\x1a\n" },
  { mime: "audio/mpeg", start: "ID3\x02" },
  { mime: "audio/mpeg", start: "ID3\x03" },
  { mime: "audio/mpeg", start: "ID3\x04" },
  { mime: "audio/ogg", start: "OggS\0" },
] as const;
const signatureBytesMax = 8;

/**
 * The media type that a file's signature says, without parameters.
 *
 * @param head first bytes of the file
 * @returns null when there is no known signature: text, or nothing that we know
 */
export async function detectType(head: Uint8Array): Promise<string | null> {
  const found = await fileTypeFromBuffer(head);
  if (found === undefined) {
    const start = Buffer.from(head.subarray(0, signatureBytesMax)).toString("latin1");
    return signatures.find((signature) => start.startsWith(signature.start))?.mime ?? null;
  }
  const [mime = ""] = found.mime.split(";");
  switch (mime) {
    case "image/apng":
      // An animated PNG is a PNG.
      return "image/png";
    case "application/ogg":
      // Ogg of a codec that the library does not know; video it does.
      return "audio/ogg";
    case "video/webm":
      return isAudioOnlyWebm(head) ? "audio/webm" : mime;
    case "audio/mpeg":
      // Layer I is in no use; what looks like it is the byte order mark of UTF-16.
      return found.ext === "mp1" ? null : mime;
    default:
      return mime;
  }
}
