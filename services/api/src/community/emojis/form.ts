import { errorTexts, invalidInput } from "@parley/contracts";
import { detectType } from "../../platform/files/detect-type.js";
import type { MultipartForm } from "../../platform/http/multipart.js";
import { customEmojiBytesMax } from "./limits.js";

/** A new emoji, checked. */
export interface EmojiInput {
  name: string;
  image: Uint8Array;
  contentType: string;
}

const namePattern = /^[a-z0-9_-]{1,32}$/;
const imageTypes = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/**
 * Reads the form of a new emoji; of an image that is too large no more than the limit is kept.
 *
 * @throws ServiceError 400 of docs/protocol/communities.md#6.5, the first rule that fails
 */
export async function readEmojiForm(form: MultipartForm): Promise<EmojiInput> {
  let name: string | undefined;
  let image: Uint8Array | undefined;
  await form.read({
    onField: (field, value) => {
      if (field === "name") name ??= value.trim();
    },
    onFile: async (part) => {
      if (part.name === "image" && image === undefined) image = await readUpTo(part.content, customEmojiBytesMax + 1);
    },
  });
  if (name === undefined) throw invalidInput(errorTexts.emoji_name_required);
  if (image === undefined) throw invalidInput(errorTexts.emoji_image_required);
  if (!namePattern.test(name)) throw invalidInput(errorTexts.emoji_name_invalid);
  if (image.length === 0) throw invalidInput(errorTexts.emoji_image_empty);
  if (image.length > customEmojiBytesMax)
    throw invalidInput(errorTexts.emoji_image_too_large(customEmojiBytesMax / 1024));
  const contentType = await detectType(image);
  if (contentType === null || !imageTypes.has(contentType)) throw invalidInput(errorTexts.emoji_image_type);
  return { name, image, contentType };
}

async function readUpTo(content: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of content) {
    if (length < bytesMax) kept.push(chunk.subarray(0, bytesMax - length));
    length += chunk.length;
  }
  return Buffer.concat(kept);
}
