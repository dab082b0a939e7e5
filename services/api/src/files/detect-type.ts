import { fileTypeFromBuffer } from "file-type";
import { isAudioOnlyWebm } from "./webm-tracks.js";

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * The media type that a file's signature says, without parameters.
 *
 * @param head first bytes of the file
 * @returns null when there is no known signature: text, or nothing that we know
 */
export async function detectType(head: Uint8Array): Promise<string | null> {
  const found = await fileTypeFromBuffer(head);
  if (found === undefined) {
    // The library wants to see a PNG's first chunks, and they may be longer than the head.
    return pngSignature.equals(head.subarray(0, pngSignature.length)) ? "image/png" : null;
  }
  const [mime = ""] = found.mime.split(";");
  switch (mime) {
    case "image/apng":
      // An animated PNG is a PNG.
      return "image/png";
    case "video/webm":
      return isAudioOnlyWebm(head) ? "audio/webm" : mime;
    case "audio/mpeg":
      // Layer I is in no use; what looks like it is the byte order mark of UTF-16.
      return found.ext === "mp1" ? null : mime;
    default:
      return mime;
  }
}
