import { caps, createEvent, errorTexts, invalidInput, notFound, type ReactionCount } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { capText } from "../../access/caps.js";
import { requireWriting } from "../../access/safety.js";
import { requirePermission } from "../../access/server-access.js";
import type { MessageRow } from "../messages/repository.js";
import { type ChannelMessageAddress, requireChannelMessage } from "../messages/require-message.js";
import { addReaction, countReactions, removeReaction } from "./repository.js";
import type { ReactionAddress } from "./schema.js";

export function createReactionService({ database, outbox }: { database: Database; outbox: Outbox<Transaction> }) {
  return {
    /** Reactions of a message by emoji. */
    async list(userId: string, address: ChannelMessageAddress): Promise<ReactionCount[]> {
      const { row } = await requireChannelMessage(database, userId, address);
      return countReactions(database, row.id, userId);
    },

    /** Adds the caller's reaction; the same one again changes nothing. */
    async add(userId: string, address: ReactionAddress): Promise<void> {
      const { row, access } = await requireChannelMessage(database, userId, address);
      requirePermission(access, "ADD_REACTIONS", errorTexts.add_reactions_required);
      requireWriting(access);
      const key = { messageId: row.id, emoji: address.emoji, userId };
      const isFull = await outbox.write(row, (session) =>
        addReaction(session, key, describe("REACTION_ADD", row, key)),
      );
      if (isFull) throw invalidInput(capText(caps.reactions));
    },

    /** Removes the caller's own reaction. */
    async remove(userId: string, address: ReactionAddress): Promise<void> {
      const { row } = await requireChannelMessage(database, userId, address);
      const key = { messageId: row.id, emoji: address.emoji, userId };
      const removed = await outbox.write(row, (session) =>
        removeReaction(session, key, describe("REACTION_REMOVE", row, key)),
      );
      if (!removed) throw notFound(errorTexts.reaction_not_found);
    },
  };
}

export type ReactionService = ReturnType<typeof createReactionService>;

function describe(
  name: "REACTION_ADD" | "REACTION_REMOVE",
  { id, channel_id, server_id }: MessageRow,
  { emoji, userId }: { emoji: string; userId: string },
) {
  return createEvent(name, { server_id, channel_id }, { message_id: id, channel_id, user_id: userId, emoji });
}
