import { cannotView } from "../../access/channel-access.js";
import { duplicateBlocked, wordFilterBlocked } from "../automod/gate.js";

/** Public error texts of messages and threads (docs/interface.md#7.1). */
export const messageErrors = {
  notFound: "Message not found",
  replyTargetNotFound: "Reply target message not found",
  content: "Message content must be 1-4000 characters",
  nestedThread: "Cannot create a thread from a thread reply",
  include: "include must name reactions, attachments or both",
  oneCursor: "Only one of before and after may be given",
  cannotSend: "You don't have permission to send messages in this channel",
  timedOut: "User is timed out",
  editAuthorOnly: "Only the message author can edit it",
  cannotDelete: "You cannot delete this message",
} as const;

/** Texts of every 403 of the send pipeline: messages, thread replies and polls. */
export const sendForbidden = [
  cannotView,
  messageErrors.cannotSend,
  messageErrors.timedOut,
  wordFilterBlocked,
  duplicateBlocked,
];
