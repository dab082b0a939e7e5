/** An answer of the api takes at most this long: an upload or a bulk deletion may need it. */
export const apiTimeoutMs = 60_000;
/** Bytes of a JSON body, as at the api. */
export const jsonBytesMax = 262_144;
/** The same where a picture is in the body as a data URI: base64 of the 9 MB, and of the 256 KiB of an emoji, that the api takes. */
export const pictureJsonBytesMax = 12_600_000;
export const emojiJsonBytesMax = 360_000;
export const dependencyCheckTimeoutMs = 2_000;
/** Bytes of the files of a message together; they wait in memory, while the api takes 50 MB of each. */
export const filesBytesMax = 52_428_800;
/** Bytes of all forms that wait in memory of the process, so that many large ones at once do not end it. */
export const formsBytesMax = 4 * filesBytesMax;
export const filesMax = 10;
export const formFieldsMax = 20;
