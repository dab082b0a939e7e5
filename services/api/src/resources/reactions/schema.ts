import { errorTexts, isReactionEmoji, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../http/input.js";
import { pageLimit } from "../../http/page-limit.js";

/** The emoji in a path. */
export const emoji = z.string(errorTexts.emoji_length).refine(isReactionEmoji, errorTexts.emoji_length);

export const messageParams = z.object({ channel_id: identifier, message_id: identifier });
export const reactionParams = messageParams.extend({ emoji });
export type ReactionAddress = z.infer<typeof reactionParams>;

export const userReactionParams = reactionParams.extend({ user_id: identifier });
export type UserReactionAddress = z.infer<typeof userReactionParams>;

/** A page of those who reacted begins after one of them. */
export const reactorQuery = z.object({ after: uuidInput(errorTexts.after_invalid).optional(), limit: pageLimit });
export type ReactorQuery = z.infer<typeof reactorQuery>;
