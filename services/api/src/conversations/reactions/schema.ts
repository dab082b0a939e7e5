import { errorTexts, isReactionEmoji, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { listPosition } from "../../platform/http/list-position.js";
import { pageLimit } from "../../platform/http/page-limit.js";
import { storedReaction } from "./emoji.js";

/** The emoji in a path, as it was sent: reactions of before this rule may be any text. */
export const emoji = z.string(errorTexts.emoji_length).refine(isReactionEmoji, errorTexts.emoji_length);

/** The emoji of a new reaction, as it is stored. */
export const newEmoji = emoji.transform((sent, context) => {
  const stored = storedReaction(sent);
  if (stored !== null) return stored;
  context.addIssue(errorTexts.emoji_unknown);
  return z.NEVER;
});

export const messageParams = z.object({ channel_id: identifier, message_id: identifier });
export const reactionParams = messageParams.extend({ emoji });

/** Without an emoji all reactions are meant. */
export const clearedEmoji = z.object({ emoji: emoji.optional() });

export const userReactionParams = reactionParams.extend({ user_id: identifier });
export type UserReactionAddress = z.infer<typeof userReactionParams>;

/** A page of those who reacted begins after one of them, or at a place that outlives the reaction there. */
export const reactorQuery = z.object({
  after: uuidInput(errorTexts.after_invalid).optional(),
  position: listPosition.optional(),
  limit: pageLimit,
});
export type ReactorQuery = z.infer<typeof reactorQuery>;
