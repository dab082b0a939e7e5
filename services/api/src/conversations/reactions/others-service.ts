import { errorTexts, invalidInput, notFound } from "@parley/contracts";
import type { Database, Queryable, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { requirePermission } from "../../access/server-access.js";
import { changeMessage } from "../core/change.js";
import type { Kind } from "../core/kind.js";
import type { ChannelMessageAddress, FoundMessage } from "../messages/require-message.js";
import { useStoredForm } from "./forms.js";
import { deleteReaction, deleteSomeReactions, findReactors, type ReactionKey, type ReactorPage } from "./repository.js";
import type { ReactionAddress, ReactorQuery, UserReactionAddress } from "./schema.js";
import type { ReactionService } from "./service.js";

/** Reactions that are removed at a time, with an event for each. */
const removalsMax = 250;

/** Reactions of others, in channels of servers only. */
export function createOthersReactions(options: {
  kind: Kind<FoundMessage>;
  reactions: ReactionService;
  database: Database;
  outbox: Outbox<Transaction>;
}) {
  const { kind, reactions, database, outbox } = options;

  /** Removes reactions of others. @returns whether there were any */
  const removeOthers = async (
    userId: string,
    ids: ChannelMessageAddress,
    deleteRows: (transaction: Transaction, messageId: string) => Promise<ReactionKey[]>,
  ): Promise<boolean> => {
    const find = async (connection: Queryable) => {
      const found = await kind.paths.reactions.find(connection, userId, ids);
      requirePermission(found.access, "MANAGE_MESSAGES", errorTexts.missing_permission);
      return found;
    };
    const { row } = await find(database);
    return changeMessage(outbox, kind, { row, find }, async ({ transaction, announce }) => {
      const removed = await deleteRows(transaction, row.id);
      for (const { messageId: message_id, userId: user_id, emoji } of removed)
        announce("REACTION_REMOVE", { message_id, channel_id: row.channel_id, user_id, emoji });
      return removed.length > 0;
    });
  };

  return {
    /**
     * A page of those who reacted with an emoji, in the order of reacting.
     *
     * @throws ServiceError 400 when it is to begin after somebody who has not reacted so, or not any more: an empty page would
     * look like the end of the list
     */
    async listUsers(
      userId: string,
      { emoji: sent, ...ids }: ReactionAddress,
      query: ReactorQuery,
    ): Promise<ReactorPage> {
      const { row } = await kind.paths.reactions.find(database, userId, ids);
      let found: ReactorPage | null = null;
      await useStoredForm(sent, async (emoji) => {
        const page = await findReactors(database, { messageId: row.id, emoji }, query);
        found ??= page;
        if (page === null || page.reactors.length === 0) return false;
        found = page;
        return true;
      });
      if (found === null) throw invalidInput(errorTexts.after_invalid);
      return found;
    },

    /** Removes somebody's reaction; that of another user takes MANAGE_MESSAGES. */
    async removeOfUser(callerId: string, { user_id: userId, ...address }: UserReactionAddress): Promise<void> {
      if (userId === callerId) return reactions.remove(callerId, address);
      const { emoji: sent, ...ids } = address;
      const isRemoved = await useStoredForm(sent, (emoji) =>
        removeOthers(callerId, ids, (transaction, messageId) =>
          deleteReaction(transaction, { messageId, emoji, userId }),
        ),
      );
      if (!isRemoved) throw notFound(errorTexts.reaction_not_found);
    },

    /** Removes all reactions to a message, also those that are added meanwhile. */
    async removeAll(userId: string, ids: ChannelMessageAddress): Promise<void> {
      const removeSome = () =>
        removeOthers(userId, ids, (transaction, messageId) => deleteSomeReactions(transaction, messageId, removalsMax));
      while (await removeSome());
    },
  };
}

export type OthersReactions = ReturnType<typeof createOthersReactions>;
