import { attachmentBytesMax, attachmentsMax } from "@parley/contracts";
import { jsonBodyBytesMax } from "../http/limits.js";

/** Largest body of an upload: as many of the largest files as a message may have, and the other parts of the form. */
export const uploadBytesMax = attachmentsMax * attachmentBytesMax + 1024 * 1024;
/** Bytes of the text of a message that is sent with its files, as those of a JSON body. */
export const payloadBytesMax = jsonBodyBytesMax;
