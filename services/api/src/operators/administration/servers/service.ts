import { errorTexts, notFound } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { requireAdminsRemain } from "../../../access/admin-lock.js";
import { appendAdminLog } from "../../../access/admin-log/repository.js";
import type { DeleteServer } from "../../../community/servers/delete-server.js";
import { findServer, updateServer } from "../../../community/servers/repository.js";
import { setServerQuota } from "../../../platform/files/quotas/repository.js";
import { isEmptyChange } from "../../../platform/http/empty-change.js";
import { addMessageCounts } from "../../message-counts/repository.js";
import type { ServerPageQuery } from "../page-schema.js";
import { findAdminServer, findServers } from "./repository.js";
import type { AdminServer, AdminServerPage, UpdateAdminServer } from "./schema.js";

export function createAdminServerService(options: { database: Database; deleteServer: DeleteServer }) {
  const { database, deleteServer } = options;
  return {
    async list(query: ServerPageQuery): Promise<AdminServerPage> {
      await addMessageCounts(database);
      const { servers, total } = await findServers(database, query);
      return { servers, total, page: query.page, per_page: query.per_page };
    },

    /** Decides about the place of a server among public ones, and about its quota. */
    update(adminId: string, serverId: string, changes: UpdateAdminServer): Promise<AdminServer> {
      return database.transaction(async (transaction) => {
        await requireAdminsRemain(transaction, adminId);
        const before = await findAdminServer(transaction, serverId);
        if (before === undefined) throw notFound(errorTexts.server_not_found);
        if (isEmptyChange(changes)) return before;
        const { quota, ...place } = changes;
        if (!isEmptyChange(place)) await updateServer(transaction, serverId, place);
        if (quota !== undefined) await setServerQuota(transaction, serverId, quota);
        const details = { name: before.name, ...given(changes) };
        await appendAdminLog(transaction, { adminId, action: "server_update", targetId: serverId, details });
        return (await findAdminServer(transaction, serverId)) ?? before;
      });
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

/** The fields that a request has. */
const given = ({ listed, featured, quota }: UpdateAdminServer) => ({
  ...(listed === undefined ? {} : { listed }),
  ...(featured === undefined ? {} : { featured }),
  ...(quota === undefined ? {} : { quota }),
});

/** Servers, for administrators (docs/protocol/operators.md#18.1). */
export type AdminServerService = ReturnType<typeof createAdminServerService>;
