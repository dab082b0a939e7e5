import { notFound } from "@parley/contracts";
import type { Database } from "@parley/database";
import { accessErrors } from "../../access/error-texts.js";
import type { FairQueue } from "../../load/fair-queue.js";
import { countAgeMaxMs, countsKeptMax } from "./limits.js";
import { countMembers } from "./repository.js";

/** Members of a server, and those of them who are not offline. */
export interface MemberCounts {
  total: number;
  online: number;
}

interface Kept {
  counts: Promise<MemberCounts>;
  askedAt: number;
}

/**
 * Counts the members of servers. Counting reads the accounts of all members, so a result is reused for some seconds and
 * concurrent requests share one pending count.
 */
export function createMemberCounts({ database, queue }: { database: Database; queue: FairQueue }) {
  const kept = new Map<string, Kept>();

  const count = async (userId: string, serverId: string): Promise<MemberCounts> => {
    const counts = await queue.run(userId, () => countMembers(database, serverId));
    if (counts === null) throw notFound(accessErrors.serverNotFound);
    return counts;
  };

  return (userId: string, serverId: string): Promise<MemberCounts> => {
    const known = kept.get(serverId);
    const now = performance.now();
    if (known !== undefined && now - known.askedAt < countAgeMaxMs) return known.counts;
    const asked = { counts: count(userId, serverId), askedAt: now };
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
