import type { Ban } from "@parley/contracts";
import type { Database } from "@parley/database";
import type { Moderation } from "@parley/moderation";
import { requireMember, requirePermission } from "../access/server-access.js";
import type { RecordAudit } from "../audit-log/record.js";
import { lackPermission } from "../moderation/service.js";
import { toBan } from "./resource.js";

export interface BanService {
  /** Bans of a server, newest first. */
  list(userId: string, serverId: string): Promise<Ban[]>;
  /** Ends a ban; succeeds also when there is none. */
  remove(userId: string, serverId: string, bannedId: string): Promise<void>;
}

export function createBanService(options: {
  database: Database;
  moderation: Moderation;
  recordAudit: RecordAudit;
}): BanService {
  const { database, moderation, recordAudit } = options;

  const requireRight = async (userId: string, serverId: string) => {
    requirePermission(await requireMember(database, serverId, userId), "BAN_MEMBERS", lackPermission);
  };

  return {
    async list(userId, serverId) {
      await requireRight(userId, serverId);
      const rows = await database.prisma.ban.findMany({
        where: { server_id: serverId },
        orderBy: [{ created_at: "desc" }, { user_id: "desc" }],
      });
      return rows.map(toBan);
    },

    async remove(userId, serverId, bannedId) {
      await requireRight(userId, serverId);
      const entry = { serverId, actorId: userId, action: "member_unban", targetId: bannedId, details: {} } as const;
      await moderation.unban({ serverId, userId: bannedId }, recordAudit(entry));
    },
  };
}
