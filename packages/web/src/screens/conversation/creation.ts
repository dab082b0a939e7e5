/** What is sent from a form of its own. */
export type Creation = "poll" | "event";

/** Of the dialogs that send a message to a channel. */
export interface CreationProps {
  channelId: string;
  /** Why the user cannot write in the channel; null when they can. */
  readOnlyReason: string | null;
  onClose: () => void;
}
