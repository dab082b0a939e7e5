import { attachmentBytesMax, attachmentsMax } from "@parley/contracts";
import { jsonBodyBytesMax } from "../http/limits.js";

/** First bytes of a file, which contain its signature and, behind EXIF data and colour profiles, an image's size. */
export const headBytes = 256 * 1024;
/** Largest body of an upload: as many of the largest files as a message may have, and what else a form holds. */
export const uploadBytesMax = attachmentsMax * attachmentBytesMax + 1024 * 1024;
/** Bytes of the text of a message that is sent with its files, as those of a JSON body. */
export const payloadBytesMax = jsonBodyBytesMax;
/** Code points of a file's name (docs/interface.md#4.14). */
export const filenameLengthMax = 255;
/** Characters of the sanitised name in a stored name (docs/interface.md#7.6). */
export const storedNameLengthMax = 128;
/** Code points of a name's ending that are kept when the name is cut. */
export const extensionLengthMax = 16;
