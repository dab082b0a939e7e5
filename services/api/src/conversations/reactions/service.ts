import { caps, createEvent, errorTexts, invalidInput, notFound, type ReactionCount } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { capText } from "../../access/caps.js";
import { requireChannel } from "../../access/channel-access.js";
import type { ChannelAccess } from "../../access/repository.js";
import { requireWriting } from "../../access/safety.js";
import { requirePermission } from "../../access/server-access.js";
import type { MessageRow } from "../messages/repository.js";
import { type ChannelMessageAddress, requireChannelMessage } from "../messages/require-message.js";
import { requireUsableEmoji } from "./emoji-repository.js";
import { useStoredForm } from "./forms.js";
import {
  addReaction,
  countReactions,
  deleteReaction,
  deleteSomeReactions,
  findReactors,
  type ReactionKey,
  type ReactorPage,
  removeReaction,
} from "./repository.js";
import type { ReactionAddress, ReactorQuery, UserReactionAddress } from "./schema.js";

/** Reactions that are removed at a time, with an event for each. */
const removalsMax = 250;

export function createReactionService({ database, outbox }: { database: Database; outbox: Outbox<Transaction> }) {
  /** Removes the caller's own reaction. */
  const remove = async (userId: string, address: ReactionAddress): Promise<void> => {
    const { row } = await requireChannelMessage(database, userId, address);
    const isRemoved = await useStoredForm(address.emoji, (emoji) => {
      const key = { messageId: row.id, emoji, userId };
      return outbox.write(row, (session) => removeReaction(session, key, describe("REACTION_REMOVE", row, key)));
    });
    if (!isRemoved) throw notFound(errorTexts.reaction_not_found);
  };

  /** Removes reactions of others. @returns whether there were any */
  const removeOthers = async (
    userId: string,
    address: ChannelMessageAddress,
    deleteRows: (transaction: Transaction, messageId: string) => Promise<ReactionKey[]>,
  ): Promise<boolean> => {
    const { row, access } = await requireChannelMessage(database, userId, address);
    requireModerator(access);
    return outbox.transaction([row], async (transaction, emit) => {
      // Repeated under the lock of the ordering key, as the right may have been lost while waiting for it.
      requireModerator(await requireChannel(transaction, row.channel_id, userId));
      const removed = await deleteRows(transaction, row.id);
      for (const key of removed) emit(describe("REACTION_REMOVE", row, key));
      return removed.length > 0;
    });
  };

  return {
    remove,

    /** Reactions of a message by emoji. */
    async list(userId: string, address: ChannelMessageAddress): Promise<ReactionCount[]> {
      const { row } = await requireChannelMessage(database, userId, address);
      return countReactions(database, row.id, userId);
    },

    /**
     * A page of those who reacted with an emoji, in the order of reacting.
     *
     * @throws ServiceError 400 when it is to begin after somebody who has not reacted so, or not any more: an empty page would
     * look like the end of the list
     */
    async listUsers(userId: string, address: ReactionAddress, query: ReactorQuery): Promise<ReactorPage> {
      const { row } = await requireChannelMessage(database, userId, address);
      let found: ReactorPage | null = null;
      await useStoredForm(address.emoji, async (emoji) => {
        const page = await findReactors(database, { messageId: row.id, emoji }, query);
        found ??= page;
        if (page === null || page.reactors.length === 0) return false;
        found = page;
        return true;
      });
      if (found === null) throw invalidInput(errorTexts.after_invalid);
      return found;
    },

    /** Adds the caller's reaction; the same one again changes nothing. */
    async add(userId: string, address: ReactionAddress): Promise<void> {
      const { row, access } = await requireChannelMessage(database, userId, address);
      requirePermission(access, "ADD_REACTIONS", errorTexts.add_reactions_required);
      requireWriting(access);
      await requireUsableEmoji(database, address.emoji, { server: row.server_id });
      const key = { messageId: row.id, emoji: address.emoji, userId };
      const isFull = await outbox.write(row, (session) =>
        addReaction(session, key, describe("REACTION_ADD", row, key)),
      );
      if (isFull) throw invalidInput(capText(caps.reactions));
    },

    /** Removes somebody's reaction; that of another user takes MANAGE_MESSAGES. */
    async removeOfUser(callerId: string, { user_id: userId, ...address }: UserReactionAddress): Promise<void> {
      if (userId === callerId) return remove(callerId, address);
      const isRemoved = await useStoredForm(address.emoji, (emoji) =>
        removeOthers(callerId, address, (transaction, messageId) =>
          deleteReaction(transaction, { messageId, emoji, userId }),
        ),
      );
      if (!isRemoved) throw notFound(errorTexts.reaction_not_found);
    },

    /** Removes all reactions to a message, also those that are added meanwhile. */
    async removeAll(userId: string, address: ChannelMessageAddress): Promise<void> {
      const removeSome = () =>
        removeOthers(userId, address, (transaction, messageId) =>
          deleteSomeReactions(transaction, messageId, removalsMax),
        );
      while (await removeSome());
    },
  };
}

export type ReactionService = ReturnType<typeof createReactionService>;

/** @throws ServiceError 403 without MANAGE_MESSAGES */
function requireModerator(access: ChannelAccess): void {
  requirePermission(access, "MANAGE_MESSAGES", errorTexts.missing_permission);
}

function describe(
  name: "REACTION_ADD" | "REACTION_REMOVE",
  { id, channel_id, server_id }: MessageRow,
  { emoji, userId }: { emoji: string; userId: string },
) {
  return createEvent(name, { server_id, channel_id }, { message_id: id, channel_id, user_id: userId, emoji });
}
