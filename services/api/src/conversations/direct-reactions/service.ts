import { caps, createEvent, errorTexts, invalidInput, notFound, type ReactionCount } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { capText } from "../../access/caps.js";
import type { ChangeDirectMessage } from "../direct-messages/change.js";
import { requireDirectMessage } from "../direct-messages/participants.js";
import { requireUsableEmoji } from "../reactions/emoji-repository.js";
import { useStoredForm } from "../reactions/forms.js";
import { addDirectReaction, countDirectReactions, removeDirectReaction } from "./repository.js";

/** A reaction of the caller in a path. */
interface Address {
  id: string;
  emoji: string;
}

export function createDirectReactions({ database, change }: { database: Database; change: ChangeDirectMessage }) {
  return {
    /** Reactions to a message by emoji. */
    async list(userId: string, messageId: string): Promise<ReactionCount[]> {
      await requireDirectMessage(database, messageId, userId);
      return countDirectReactions(database, messageId, userId);
    },

    /** Adds the caller's reaction; the same one again changes nothing. */
    add(userId: string, { id: message_id, emoji }: Address): Promise<void> {
      return change(message_id, userId, async ({ transaction, row: { channel_id }, requireMayWrite, tell }) => {
        await requireMayWrite();
        await requireUsableEmoji(transaction, emoji, { member: userId });
        const outcome = await addDirectReaction(transaction, { messageId: message_id, emoji, userId });
        if (outcome === "full") throw invalidInput(capText(caps.reactions));
        if (outcome === "there") return;
        const reaction = { message_id, channel_id, user_id: userId, emoji };
        tell((user, routing) => createEvent("DM_REACTION_ADD", user, reaction, routing));
      });
    },

    /** Removes the caller's own reaction. */
    remove(userId: string, { id: message_id, emoji: sent }: Address): Promise<void> {
      return change(message_id, userId, async ({ transaction, row: { channel_id }, tell }) => {
        const isRemoved = await useStoredForm(sent, async (emoji) => {
          if (!(await removeDirectReaction(transaction, { messageId: message_id, emoji, userId }))) return false;
          const reaction = { message_id, channel_id, user_id: userId, emoji };
          tell((user, routing) => createEvent("DM_REACTION_REMOVE", user, reaction, routing));
          return true;
        });
        if (!isRemoved) throw notFound(errorTexts.reaction_not_found);
      });
    },
  };
}

export type DirectReactions = ReturnType<typeof createDirectReactions>;
