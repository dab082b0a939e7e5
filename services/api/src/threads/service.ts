import type { Message } from "@parley/contracts";
import type { Database } from "@parley/database";
import { type ChannelMessageAddress, requireChannelMessage } from "../messages/require-message.js";
import { toMessages } from "../messages/resource.js";
import type { SendMessage } from "../messages/send.js";
import { findReplies } from "./repository.js";
import type { ThreadQuery } from "./schema.js";

export interface ThreadService {
  /** A page of the replies to a root message, oldest first. */
  list(userId: string, root: ChannelMessageAddress, page: ThreadQuery): Promise<Message[]>;
  reply(userId: string, root: ChannelMessageAddress, content: string): Promise<Message>;
}

export function createThreadService({ database, send }: { database: Database; send: SendMessage }): ThreadService {
  return {
    async list(userId, root, { after, before, limit }) {
      await requireChannelMessage(database, userId, root);
      const rows = await findReplies(database, { rootId: root.message_id, after: after ?? before, limit });
      return toMessages(database, rows, userId);
    },

    reply: (userId, { channel_id, message_id }, content) =>
      send({ userId, channelId: channel_id, content, threadId: message_id }),
  };
}
