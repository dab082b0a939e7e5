import { errorTexts, notFound } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { FairQueue } from "../../platform/load/fair-queue.js";
import { countMembers } from "./repository.js";

/** Servers whose numbers are kept. */
const countsKeptMax = 1_000;

/** How long a number of connected members is reused; docs/protocol/communities.md#20.3 allows 5 seconds. */
const countAgeMaxMs = 4_000;

/** Members of a server, and those of them who are not offline. */
export interface MemberCounts {
  total: number;
  online: number;
}

/**
 * Reads the counts of a server.
 *
 * @param tenantId whose turn it takes when they have to be counted
 */
export type ReadMemberCounts = (tenantId: string, serverId: string) => Promise<MemberCounts>;

interface CountsEntry {
  counts: Promise<MemberCounts>;
  askedAt: number;
}

/**
 * Counts the members of servers. Counting reads the accounts of all members, so a result is reused for some seconds and
 * concurrent requests share one pending count.
 */
export function createMemberCounts(options: { database: Database; queue: FairQueue }): ReadMemberCounts {
  const { database, queue } = options;
  const kept = new Map<string, CountsEntry>();

  const count = async (tenantId: string, serverId: string): Promise<MemberCounts> => {
    const counts = await queue.run(tenantId, () => countMembers(database, serverId));
    if (counts === null) throw notFound(errorTexts.server_not_found);
    return counts;
  };

  return (tenantId, serverId) => {
    const known = kept.get(serverId);
    const now = performance.now();
    if (known !== undefined && now - known.askedAt < countAgeMaxMs) return known.counts;
    const asked = { counts: count(tenantId, serverId), askedAt: now };
    // Behind all others: the first one is the oldest.
    kept.delete(serverId);
    kept.set(serverId, asked);
    const [oldest] = kept.keys();
    if (kept.size > countsKeptMax && oldest !== undefined) kept.delete(oldest);
    asked.counts.catch(() => {
      if (kept.get(serverId) === asked) kept.delete(serverId);
    });
    return asked.counts;
  };
}
