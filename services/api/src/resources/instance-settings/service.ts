import type { Database, InstanceSettings as InstanceSettingsRow, Queryable } from "@parley/database/prisma";
import { requireAdminsRemain } from "../../access/admin-lock.js";
import { lockAdministration } from "../../access/repository.js";
import { appendAdminLog } from "../admin-log/append.js";
import { InstanceSettings, type UpdateSettings } from "./schema.js";

const where = { id: 1 };

const toSettings = (row: InstanceSettingsRow): InstanceSettings =>
  InstanceSettings.parse({ ...row, updated_at: row.updated_at.toISOString() });

/** The settings of the installation. */
export async function readSettings({ prisma }: Queryable): Promise<InstanceSettings> {
  return toSettings(await prisma.instanceSettings.findUniqueOrThrow({ where }));
}

export function createInstanceSettingsService({ database }: { database: Database }) {
  return {
    read: () => readSettings(database),

    update(adminId: string, { registration_mode }: UpdateSettings): Promise<InstanceSettings> {
      if (registration_mode === undefined) return readSettings(database);
      return database.transaction(async (transaction) => {
        await lockAdministration(transaction);
        await requireAdminsRemain(transaction, adminId);
        const data = { registration_mode, updated_at: new Date(), updated_by: adminId };
        const row = await transaction.prisma.instanceSettings.update({ where, data });
        const details = { registration_mode };
        await appendAdminLog(transaction, { adminId, action: "settings_update", targetId: null, details });
        return toSettings(row);
      });
    },
  };
}

/** The settings of the installation, for administrators (docs/interface.md#18.1). */
export type InstanceSettingsService = ReturnType<typeof createInstanceSettingsService>;
