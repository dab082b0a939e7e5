import type { Message } from "@parley/client";
import { createContext, useContext } from "react";
import type { Place } from "../../state/conversations/histories.js";

/** Messages with a form of their own. */
export type Creation = "poll" | "event";

/** State shared by the components of a conversation. */
export interface ConversationContext {
  place: Place;
  /** Null in direct messages. */
  serverId: string | null;
  /** The message that is being edited here. */
  editingId: string | null;
  edit: (messageId: string | null) => void;
  /** Deletes a message, after a confirmation. */
  remove: (message: Message) => void;
  /** The message that the next one replies to. */
  replyTo: string | null;
  reply: (messageId: string | null) => void;
  /** Opens the form of a poll or an event. */
  create: (kind: Creation) => void;
  /** Shows a thread, and one of its replies; null in threads themselves. */
  openThread: ((rootId: string, replyId?: string) => void) | null;
  /** Shows a message from anywhere in the channel's history; null ends that. */
  jump: (messageId: string | null) => void;
}

export const ConversationProvider = createContext<ConversationContext | null>(null);

/** The conversation around a component. @throws Error outside of a conversation */
export function useConversation(): ConversationContext {
  const context = useContext(ConversationProvider);
  if (context === null) throw new Error("There is no conversation around this.");
  return context;
}
