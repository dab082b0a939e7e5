import { caps, errorTexts, invalidInput, notFound, type ReactionCount } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { capText } from "../../access/caps.js";
import type { Kind, MessageAccess } from "../core/kind.js";
import type { ToMessage } from "../core/may.js";
import { requireUsableEmoji } from "./emoji-repository.js";
import { useStoredForm } from "./forms.js";
import { addReaction, countReactions, removeReaction } from "./repository.js";

export function createReactionService<F extends MessageAccess>(kind: Kind<F>, { database }: { database: Database }) {
  const changeOf = (name: "REACTION_ADD" | "REACTION_REMOVE", access: F, emoji: string) => {
    const { userId } = access;
    const { id, channel_id } = access.found;
    const events = kind.eventsOf(access, name, { message_id: id, channel_id, user_id: userId, emoji });
    return { messageId: id, userId, emoji, events };
  };

  return {
    /** Reactions of a message by emoji. */
    list: ({ userId, found }: F): Promise<ReactionCount[]> =>
      countReactions(database, kind.name, { messageId: found.id, viewerId: userId }),

    /** Adds the caller's reaction; the same one again changes nothing. */
    async add(may: ToMessage<F>, emoji: string): Promise<void> {
      const before = await may.access();
      await requireUsableEmoji(database, emoji, kind.reacting.emojis(before));
      const isFull = await may.write(before, (session, now) =>
        addReaction(session, kind.name, changeOf("REACTION_ADD", now, emoji)),
      );
      if (isFull) throw invalidInput(capText(caps.reactions));
    },

    /** Removes the caller's own reaction. */
    async remove(may: ToMessage<F>, sent: string): Promise<void> {
      const before = await may.access();
      const isRemoved = await useStoredForm(sent, (emoji) =>
        may.write(before, (session, now) =>
          removeReaction(session, kind.name, changeOf("REACTION_REMOVE", now, emoji)),
        ),
      );
      if (!isRemoved) throw notFound(errorTexts.reaction_not_found);
    },
  };
}

export type ReactionService<F extends MessageAccess> = ReturnType<typeof createReactionService<F>>;
