import { errorTexts, isReactionEmoji } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../http/input.js";

const emoji = z.string(errorTexts.emoji_length).refine(isReactionEmoji, errorTexts.emoji_length);

export const messageParams = z.object({ channel_id: identifier, message_id: identifier });
export const reactionParams = messageParams.extend({ emoji });
export type ReactionAddress = z.infer<typeof reactionParams>;
