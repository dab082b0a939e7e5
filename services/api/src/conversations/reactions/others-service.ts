import { createEvent, errorTexts, invalidInput, notFound } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import { type InChannel, located } from "../../access/may.js";
import { permission } from "../../access/needs.js";
import type { MessageRow } from "../messages/repository.js";
import { channelMessage, requireChannelMessage } from "../messages/require-message.js";
import { useStoredForm } from "./forms.js";
import { deleteReaction, deleteSomeReactions, findReactors, type ReactionKey, type ReactorPage } from "./repository.js";
import type { ReactorQuery, UserReactionAddress } from "./schema.js";

/** Reactions that are removed at a time, with an event for each. */
const removalsMax = 250;

const managing = permission("MANAGE_MESSAGES", errorTexts.missing_permission);

/** The right to remove all reactions to a message. */
export const mayRemoveAll = located({ ...channelMessage, needs: managing });

/** The right to remove the reaction of a user. */
export const mayRemoveOfUser = located({
  ...channelMessage,
  find: async (connection, userId, { user_id: reactorId, ...ids }: UserReactionAddress) => {
    const access = await requireChannelMessage(connection, userId, ids);
    return { ...access, found: { ...access.found, reactorId } };
  },
  needs: {
    ...managing,
    right: `one's own or ${managing.right}`,
    isMet: (access) => access.found.reactorId === access.userId || managing.isMet(access),
  },
});

/** Removes reactions. @param cleared what is removed together with the first of them @returns whether there were any */
function remove(
  may: InChannel<MessageRow>,
  deleteRows: (transaction: Transaction, messageId: string) => Promise<ReactionKey[]>,
  cleared?: "all" | "emoji" | "more",
): Promise<boolean> {
  return may.change(async ({ transaction, emit, access }) => {
    const { id, server_id, channel_id } = access.found;
    const removed = await deleteRows(transaction, id);
    for (const [index, { messageId: message_id, userId: user_id, emoji }] of removed.entries()) {
      const payload = { message_id, channel_id, user_id, emoji };
      const mark = cleared === undefined ? {} : { cleared: index === 0 ? cleared : ("more" as const) };
      emit(createEvent("REACTION_REMOVE", { server_id, channel_id }, { ...payload, ...mark }));
    }
    return removed.length > 0;
  });
}

/** Removes the reaction of a user. */
export async function removeOfUser(
  may: InChannel<MessageRow & { reactorId: string }>,
  { emoji: sent, user_id: userId }: UserReactionAddress,
): Promise<void> {
  const isRemoved = await useStoredForm(sent, (emoji) =>
    remove(may, (transaction, messageId) => deleteReaction(transaction, { messageId, emoji, userId })),
  );
  if (!isRemoved) throw notFound(errorTexts.reaction_not_found);
}

/** Removes all reactions to a message, or those with an emoji, also those that are added meanwhile. */
export async function removeAll(may: InChannel<MessageRow>, sent?: string): Promise<void> {
  const removeEach = async (emoji?: string) => {
    let cleared: "all" | "emoji" | "more" = emoji === undefined ? "all" : "emoji";
    const removeSome = () =>
      remove(may, (transaction, id) => deleteSomeReactions(transaction, id, { emoji, max: removalsMax }), cleared);
    const first = await removeSome();
    cleared = "more";
    for (let isMore = first; isMore; isMore = await removeSome());
    return first;
  };
  if (sent === undefined) await removeEach();
  else await useStoredForm(sent, removeEach);
}

/**
 * A page of the users who reacted with an emoji, in the order of reacting.
 *
 * @throws ServiceError 400 when its start is a user without this reaction: an empty page would look like the end of the
 * list
 */
export async function listReactors(
  database: Database,
  { messageId, emoji: sent }: { messageId: string; emoji: string },
  query: ReactorQuery,
): Promise<ReactorPage> {
  let found: ReactorPage | null = null;
  await useStoredForm(sent, async (emoji) => {
    const page = await findReactors(database, { messageId, emoji }, query);
    found ??= page;
    if (page === null || page.reactors.length === 0) return false;
    found = page;
    return true;
  });
  if (found === null) throw invalidInput(errorTexts.after_invalid);
  return found;
}
