import type { DetailedMessage } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { MessageDetails } from "../messages/details.js";
import { type ChannelMessageAddress, requireChannelMessage } from "../messages/require-message.js";
import { findReplies } from "./repository.js";
import type { ThreadQuery } from "./schema.js";

export interface ThreadService {
  /** A page of the replies to a root message, oldest first. */
  list(userId: string, root: ChannelMessageAddress, page: ThreadQuery): Promise<DetailedMessage[]>;
}

export function createThreadService(options: { database: Database; details: MessageDetails }): ThreadService {
  const { database, details } = options;
  return {
    async list(userId, root, { after, before, limit, include }) {
      await requireChannelMessage(database, userId, root);
      const rows = await findReplies(database, { rootId: root.message_id, after: after ?? before, limit });
      return details(rows, { viewerId: userId, include });
    },
  };
}
