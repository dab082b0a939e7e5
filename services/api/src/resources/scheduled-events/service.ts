import type { ListedEvent } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { findViewableChannels } from "../../access/repository.js";
import { requireMember } from "../../access/server-access.js";
import { findComing } from "./repository.js";

export function createScheduledEventService({ database }: { database: Database }) {
  return {
    /** Coming events of the channels that the caller may view, the soonest first. */
    async list(userId: string, serverId: string): Promise<ListedEvent[]> {
      await requireMember(database, serverId, userId);
      const channels = await findViewableChannels(database, serverId, userId);
      return findComing(
        database,
        channels.map(({ id }) => id),
      );
    },
  };
}

export type ScheduledEventService = ReturnType<typeof createScheduledEventService>;
