import { cannotView } from "../access/channel-access.js";
import { duplicateBlocked, wordFilterBlocked } from "../automod/gate.js";

// Texts of the errors about messages (docs/interface.md#7.1), for those who throw them and for the routes that declare
// them.
export const contentInvalid = "Message content must be 1-4000 characters";
export const channelNotFound = "Channel not found";
export const messageNotFound = "Message not found";
export const replyTargetNotFound = "Reply target message not found";
export const nestedThread = "Cannot create a thread from a thread reply";
export const cannotSend = "You don't have permission to send messages in this channel";
export const timedOut = "User is timed out";

/** Texts of every 403 of the send pipeline: messages, thread replies and polls. */
export const sendForbidden = [cannotView, cannotSend, timedOut, wordFilterBlocked, duplicateBlocked];
