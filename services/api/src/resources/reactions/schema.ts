import { errorTexts, isStorableText } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../http/input.js";

/** Longest emoji of a reaction, in bytes of UTF-8 (docs/interface.md#4.13). */
const reactionEmojiBytesMax = 64;

/** Opaque: a Unicode emoji or `c:<custom emoji id>` (docs/interface.md#4.13). */
const emoji = z.string(errorTexts.emoji_length).refine((value) => {
  const bytes = Buffer.byteLength(value);
  return isStorableText(value) && bytes >= 1 && bytes <= reactionEmojiBytesMax;
}, errorTexts.emoji_length);

export const messageParams = z.object({ channel_id: identifier, message_id: identifier });
export const reactionParams = messageParams.extend({ emoji });
export type ReactionAddress = z.infer<typeof reactionParams>;
