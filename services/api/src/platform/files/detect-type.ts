import { fileTypeFromBuffer } from "file-type";
import { isAudioOnlyWebm } from "./webm-tracks.js";

/**
 * Signatures of accepted types for which the library needs more bytes than the head may have: a PNG's first chunks, the
 * data behind an ID3 tag, the first packet of Ogg.
 */
const signatures = [
  { mime: "image/png", start: "\x89PNG\r\n\x1a\n" },
  { mime: "audio/mpeg", start: "ID3\x02" },
  { mime: "audio/mpeg", start: "ID3\x03" },
  { mime: "audio/mpeg", start: "ID3\x04" },
  { mime: "audio/ogg", start: "OggS\0" },
] as const;
const signatureBytesMax = 8;
/** Bytes that the library looks at: some containers it reads element by element, at up to 20 ms for 256 KiB. */
const libraryBytesMax = 64 * 1024;

/**
 * The media type by a file's signature, without parameters.
 *
 * @param head first bytes of the file
 * @returns null for text and for unknown signatures
 */
export async function detectType(head: Uint8Array): Promise<string | null> {
  // The library would inflate it to look inside, and returns the same type whatever it finds.
  if (head[0] === 0x1f && head[1] === 0x8b) return "application/gzip";
  const found = await fileTypeFromBuffer(head.subarray(0, libraryBytesMax));
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
      // Ogg with a codec unknown to the library, hence audio: it recognizes those of video.
      return "audio/ogg";
    case "video/webm":
      return isAudioOnlyWebm(head) ? "audio/webm" : mime;
    case "audio/mpeg":
      // MPEG Layer I is not in use; a matching signature is the byte order mark of UTF-16.
      return found.ext === "mp1" ? null : mime;
    default:
      return mime;
  }
}
