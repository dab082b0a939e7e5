import { isInNetwork, type NetworkBans } from "@parley/auth";
import { caps, errorTexts, invalidInput, notFound } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import { requireAdminsRemain } from "../../access/admin-lock.js";
import { appendAdminLog } from "../../access/admin-log/repository.js";
import { requireBelowCap } from "../../access/caps.js";
import { lockAdministration } from "../../access/repository.js";
import { countBans, deleteBan, findBans, insertBan } from "./repository.js";
import type { BanNetwork, NetworkBan } from "./schema.js";

export function createNetworkBanService({
  database,
  networkBans,
}: {
  database: Database;
  networkBans: Pick<NetworkBans, "refresh">;
}) {
  const change = async <Result>(adminId: string, work: (transaction: Transaction) => Promise<Result>) => {
    const result = await database.transaction(async (transaction) => {
      await lockAdministration(transaction);
      await requireAdminsRemain(transaction, adminId);
      return work(transaction);
    });
    await networkBans.refresh();
    return result;
  };

  return {
    list: (query: Parameters<typeof findBans>[1]) => findBans(database, query),

    /** @param address the caller's, which the ban may not contain */
    create(adminId: string, address: string, ban: BanNetwork): Promise<NetworkBan> {
      return change(adminId, async (transaction) => {
        if (isInNetwork(address, ban.cidr)) throw invalidInput(errorTexts.network_ban_blocks_caller);
        requireBelowCap(caps.networkBans, await countBans(transaction));
        const created = await insertBan(transaction, adminId, ban);
        const { cidr, reason, expires_at } = created;
        const details = { cidr, reason, expires_at };
        await appendAdminLog(transaction, { adminId, action: "network_ban_create", targetId: null, details });
        return created;
      });
    },

    delete(adminId: string, id: string): Promise<void> {
      return change(adminId, async (transaction) => {
        const cidr = await deleteBan(transaction, id);
        if (cidr === undefined) throw notFound(errorTexts.network_ban_not_found);
        await appendAdminLog(transaction, { adminId, action: "network_ban_delete", targetId: null, details: { cidr } });
      });
    },
  };
}

/** Networks from which nobody registers, logs in or connects (docs/protocol/registration.md#bans). */
export type NetworkBanService = ReturnType<typeof createNetworkBanService>;
