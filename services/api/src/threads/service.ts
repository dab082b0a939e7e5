import type { Message } from "@parley/contracts";
import type { Database } from "@parley/database";
import { type ChannelMessageAddress, requireChannelMessage } from "../messages/require-message.js";
import { toMessages } from "../messages/resource.js";
import { findReplies } from "./repository.js";
import type { ThreadQuery } from "./schema.js";

export interface ThreadService {
  /** A page of the replies to a root message, oldest first. */
  list(userId: string, root: ChannelMessageAddress, page: ThreadQuery): Promise<Message[]>;
}

export function createThreadService({ database }: { database: Database }): ThreadService {
  return {
    async list(userId, root, { after, before, limit }) {
      await requireChannelMessage(database, userId, root);
      const rows = await findReplies(database, { rootId: root.message_id, after: after ?? before, limit });
      return toMessages(database, rows, userId);
    },
  };
}
