import { errorTexts, notFound } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { requireAdminsRemain } from "../../../access/admin-lock.js";
import { appendAdminLog } from "../../../access/admin-log/repository.js";
import type { DeleteServer } from "../../../community/servers/delete-server.js";
import { findServer } from "../../../community/servers/repository.js";
import { addMessageCounts } from "../../message-counts/repository.js";
import type { PageQuery } from "../page-schema.js";
import { findServers } from "./repository.js";
import type { AdminServerPage } from "./schema.js";

export function createAdminServerService(options: { database: Database; deleteServer: DeleteServer }) {
  const { database, deleteServer } = options;
  return {
    async list(query: PageQuery): Promise<AdminServerPage> {
      await addMessageCounts(database);
      const { servers, total } = await findServers(database, query);
      return { servers, total, page: query.page, per_page: query.per_page };
    },

    async delete(adminId: string, serverId: string): Promise<void> {
      if ((await findServer(database, serverId)) === null) throw notFound(errorTexts.server_not_found);
      await deleteServer(serverId, adminId, async (transaction, { name }) => {
        await requireAdminsRemain(transaction, adminId);
        await appendAdminLog(transaction, { adminId, action: "server_delete", targetId: serverId, details: { name } });
      });
    },
  };
}

/** Servers, for administrators (docs/protocol/operators.md#18.1). */
export type AdminServerService = ReturnType<typeof createAdminServerService>;
