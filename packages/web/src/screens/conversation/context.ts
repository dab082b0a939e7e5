import type { Message } from "@parley/client";
import { createContext, useContext } from "react";
import type { Place } from "../../state/histories.js";

/** What the parts of a conversation share. */
export interface ConversationContext {
  place: Place;
  /** Null in direct messages. */
  serverId: string | null;
  /** The message that is being edited here. */
  editingId: string | null;
  edit: (messageId: string | null) => void;
  /** Deletes a message, after asking. */
  remove: (message: Message) => void;
  /** The message that the next one replies to. */
  replyTo: string | null;
  reply: (messageId: string | null) => void;
  /** Shows a thread; null in threads themselves. */
  openThread: ((rootId: string) => void) | null;
  /** Shows a message of this channel, wherever it is in the history; null is none in particular. */
  jump: (messageId: string | null) => void;
}

/** Given by each conversation to its parts. */
export const Conversing = createContext<ConversationContext | null>(null);

/** The conversation around a component. */
export function useConversation(): ConversationContext {
  const context = useContext(Conversing);
  if (context === null) throw new Error("There is no conversation around this.");
  return context;
}
