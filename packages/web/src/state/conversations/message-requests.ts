import type { Attachment, DetailedMessage, Message, ParleyClient, ReactionCount } from "@parley/client";
import type { AppState } from "../store/app-state.js";
import { fromDirectMessage } from "./direct-message.js";
import { listedDetails } from "./listed-details.js";

/** A channel of a server, or one of direct messages. */
export interface Place {
  kind: "channel" | "direct";
  id: string;
}

/** The requests about messages that both kinds of places have, with messages of one shape. */
export interface MessageRequests {
  /** A page of a history, newest first, with its details. */
  list(
    channelId: string,
    query: { limit: number; before?: string; after?: string; since?: string },
  ): Promise<DetailedMessage[]>;
  /** One message with its details. */
  get(channelId: string, messageId: string): Promise<DetailedMessage>;
  edit(messageId: string, content: string): Promise<Message>;
  delete(messageId: string): Promise<void>;
  reactions(channelId: string, messageId: string): Promise<ReactionCount[]>;
  react(channelId: string, messageId: string, emoji: string): Promise<void>;
  unreact(channelId: string, messageId: string, emoji: string): Promise<void>;
  attachments(messageId: string): Promise<Attachment[]>;
}

/** The kind of a channel. */
export const kindOf = ({ dmChannels }: AppState, channelId: string): Place["kind"] =>
  dmChannels.some(({ id }) => id === channelId) ? "direct" : "channel";

/** Makes the {@link MessageRequests} of a kind of places. */
export function messageRequests(client: ParleyClient, kind: Place["kind"]): MessageRequests {
  return kind === "direct" ? directRequests(client) : channelRequests(client);
}

const channelRequests = ({ messages, reactions, attachments }: ParleyClient): MessageRequests => ({
  list: (channelId, query) => messages.list(channelId, { ...query, ...listedDetails }),
  get: (channelId, messageId) => messages.get(channelId, messageId, listedDetails),
  edit: (messageId, content) => messages.edit(messageId, { content }),
  delete: (messageId) => messages.delete(messageId),
  reactions: (channelId, messageId) => reactions.list(channelId, messageId),
  react: (channelId, messageId, emoji) => reactions.add(channelId, messageId, emoji),
  unreact: (channelId, messageId, emoji) => reactions.remove(channelId, messageId, emoji),
  attachments: (messageId) => attachments.list(messageId),
});

const directRequests = ({ directMessages }: ParleyClient): MessageRequests => ({
  list: async (channelId, query) =>
    (await directMessages.list(channelId, { ...query, ...listedDetails })).map(fromDirectMessage),
  get: async (channelId, messageId) => fromDirectMessage(await directMessages.get(channelId, messageId, listedDetails)),
  edit: async (messageId, content) => fromDirectMessage(await directMessages.edit(messageId, { content })),
  delete: (messageId) => directMessages.delete(messageId),
  reactions: (_, messageId) => directMessages.reactions(messageId),
  react: (_, messageId, emoji) => directMessages.addReaction(messageId, emoji),
  unreact: (_, messageId, emoji) => directMessages.removeReaction(messageId, emoji),
  attachments: (messageId) => directMessages.attachments(messageId),
});
