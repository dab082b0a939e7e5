import type { FileHandle } from "node:fs/promises";
import { errorTexts, invalidInput, pictureBytesMax, pictureTypes } from "@parley/contracts";
import type { MultipartForm } from "../../http/multipart.js";
import { detectType } from "../detect-type.js";
import { spool } from "../storage/spool.js";

/** Bytes that the type is decided by. */
const headBytes = 64 * 1024;

const types = new Set<string>(pictureTypes);

/** A picture as it was sent, in a temporary file that its receiver closes. */
export interface SentPicture {
  readonly file: FileHandle;
  readonly size: number;
}

/**
 * Reads the form of a picture, its field `image`, in constant memory.
 *
 * @throws ServiceError 400 of docs/protocol/communities.md#28.5, the first rule that fails; 503 when the disk fails
 */
export async function readPictureForm(form: MultipartForm): Promise<SentPicture> {
  let file: FileHandle | undefined;
  try {
    await form.read({
      onFile: async (part) => {
        if (part.name === "image" && file === undefined) file = await spool(limited(part.content));
      },
    });
    return await check(file);
  } catch (error) {
    await closeIfOpen(file);
    throw error;
  }
}

/**
 * Reads a picture that no form brings.
 *
 * @throws ServiceError as {@link readPictureForm}
 */
export async function readPicture(content: AsyncIterable<Uint8Array>): Promise<SentPicture> {
  const file = await spool(limited(content));
  try {
    return await check(file);
  } catch (error) {
    await file.close();
    throw error;
  }
}

const closeIfOpen = (file: FileHandle | undefined) => file?.close();

async function check(file: FileHandle | undefined): Promise<SentPicture> {
  if (file === undefined) throw invalidInput(errorTexts.emoji_image_required);
  const { size } = await file.stat();
  if (size === 0) throw invalidInput(errorTexts.emoji_image_empty);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, headBytes)), 0, undefined, 0);
  const type = await detectType(buffer.subarray(0, bytesRead));
  if (type === null || !types.has(type)) throw invalidInput(errorTexts.emoji_image_type);
  return { file, size };
}

async function* limited(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > pictureBytesMax) throw invalidInput(errorTexts.image_too_large(pictureBytesMax / 1024 / 1024));
    yield chunk;
  }
}
