import type { SearchPage } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { FairQueue } from "../../platform/load/fair-queue.js";
import { requireParticipants } from "../direct-messages/participants.js";
import { inSearchTime } from "../search/repository.js";
import type { DirectSearchQuery } from "../search/schema.js";
import { toSearchPage } from "../search/service.js";
import { findDirectHits } from "./repository.js";

/** @param options.queue searches of this process */
export function createDirectSearch({ database, queue }: { database: Database; queue: FairQueue }) {
  return {
    /** A page of the messages of a channel that contain all words of a query. */
    async search(userId: string, channelId: string, query: DirectSearchQuery): Promise<SearchPage> {
      const { q: words, before = null, limit } = query;
      await requireParticipants(database, channelId, userId);
      const wanted = { channelId, words, before, limit: limit + 1 };
      const found = await queue.run(userId, () =>
        inSearchTime(database, (transaction) => findDirectHits(transaction, wanted)),
      );
      return toSearchPage(found, limit);
    },
  };
}

export type DirectSearch = ReturnType<typeof createDirectSearch>;
