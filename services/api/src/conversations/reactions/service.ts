import { caps, errorTexts, invalidInput, notFound, type ReactionCount } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { capText } from "../../access/caps.js";
import type { Found, Kind, PathIds } from "../core/kind.js";
import { requireUsableEmoji } from "./emoji-repository.js";
import { useStoredForm } from "./forms.js";
import { addReaction, countReactions, removeReaction } from "./repository.js";

export function createReactionService<F extends Found>(
  kind: Kind<F>,
  { database, outbox }: { database: Database; outbox: Outbox<Transaction> },
) {
  const { reactions: path } = kind.paths;

  const changeOf = (
    name: "REACTION_ADD" | "REACTION_REMOVE",
    found: F,
    { userId, emoji }: { userId: string; emoji: string },
  ) => {
    const { id, channel_id } = found.row;
    const events = kind.eventsOf(found, name, { message_id: id, channel_id, user_id: userId, emoji });
    return { messageId: id, userId, emoji, events };
  };

  return {
    /** Reactions of a message by emoji. */
    async list(userId: string, ids: PathIds): Promise<ReactionCount[]> {
      const { row } = await path.find(database, userId, ids);
      return countReactions(database, kind.name, { messageId: row.id, viewerId: userId });
    },

    /** Adds the caller's reaction; the same one again changes nothing. */
    async add(userId: string, { emoji = "", ...ids }: PathIds): Promise<void> {
      const found = await path.find(database, userId, ids);
      kind.reacting.requireMay(found);
      await kind.requireMayWrite(database, userId, found);
      await requireUsableEmoji(database, emoji, kind.reacting.emojis(userId, found));
      const isFull = await outbox.write(kind.orderOf(found.row), async (session) => {
        const now = await kind.recheck(session, userId, found);
        await kind.requireMayWrite(session, userId, now);
        return addReaction(session, kind.name, changeOf("REACTION_ADD", now, { userId, emoji }));
      });
      if (isFull) throw invalidInput(capText(caps.reactions));
    },

    /** Removes the caller's own reaction. */
    async remove(userId: string, { emoji: sent = "", ...ids }: PathIds): Promise<void> {
      const found = await path.find(database, userId, ids);
      const isRemoved = await useStoredForm(sent, (emoji) =>
        outbox.write(kind.orderOf(found.row), async (session) => {
          const now = await kind.recheck(session, userId, found);
          return removeReaction(session, kind.name, changeOf("REACTION_REMOVE", now, { userId, emoji }));
        }),
      );
      if (!isRemoved) throw notFound(errorTexts.reaction_not_found);
    },
  };
}

export type ReactionService = ReturnType<typeof createReactionService>;
