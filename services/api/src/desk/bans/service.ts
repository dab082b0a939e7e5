import type { Ban } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Moderation } from "@parley/moderation";
import type { RecordAudit } from "../../access/audit-log/record.js";
import type { InServer, MemberAccess } from "../../access/may.js";
import { listChunkMax, listReads } from "../../platform/http/limits.js";
import { FairQueue } from "../../platform/load/fair-queue.js";
import { type BanPlace, type BanRow, findBans, listStart } from "./repository.js";

/** A ban as it goes over the wire (docs/protocol/objects.md#4.22). */
function toBan({ created_at, expires_at, ...ban }: BanRow): Ban {
  const { user_id, server_id, banned_by, reason } = ban;
  const end = expires_at === null ? {} : { expires_at: expires_at.toISOString() };
  return { user_id, server_id, banned_by, reason, created_at: created_at.toISOString(), ...end };
}

export function createBanService(options: {
  database: Database;
  moderation: Moderation<Transaction>;
  recordAudit: RecordAudit;
}) {
  const { database, moderation, recordAudit } = options;
  const queue = new FairQueue(listReads);

  return {
    /** Bans of a server, newest first, in chunks: the JSON text of each. */
    async *list({ serverId, userId }: MemberAccess): AsyncGenerator<string[]> {
      for (let before: BanPlace | null = listStart; before !== null; ) {
        const place: BanPlace = before;
        const rows = await queue.run(userId, () => findBans(database, serverId, place));
        before = rows.length < listChunkMax ? null : (rows.at(-1) ?? null);
        yield rows.map((row) => JSON.stringify(toBan(row)));
      }
    },

    /** Ends a ban; succeeds also when there is none. */
    async remove(may: InServer, bannedId: string): Promise<void> {
      const { serverId, userId } = await may.access();
      const audit = recordAudit({ serverId, actorId: userId, action: "member_unban", targetId: bannedId, details: {} });
      await moderation.unban({ serverId, userId: bannedId }, async (transaction, emit) => {
        // The server is locked now, so the right is checked as committed; without it the end of the ban is rolled back.
        await may.access(transaction);
        await audit(transaction, emit);
      });
    },
  };
}

export type BanService = ReturnType<typeof createBanService>;
