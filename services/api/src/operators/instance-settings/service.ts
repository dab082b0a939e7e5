import type { Database } from "@parley/database/prisma";
import { requireAdminsRemain } from "../../access/admin-lock.js";
import { appendAdminLog } from "../../access/admin-log/repository.js";
import { lockAdministration } from "../../access/repository.js";
import { readSettings, updateSettings } from "./repository.js";
import type { InstanceSettings, UpdateSettings } from "./schema.js";

export function createInstanceSettingsService({ database }: { database: Database }) {
  return {
    update(adminId: string, { registration_mode }: UpdateSettings): Promise<InstanceSettings> {
      if (registration_mode === undefined) return readSettings(database);
      return database.transaction(async (transaction) => {
        await lockAdministration(transaction);
        await requireAdminsRemain(transaction, adminId);
        const settings = await updateSettings(transaction, adminId, { registration_mode });
        const details = { registration_mode };
        await appendAdminLog(transaction, { adminId, action: "settings_update", targetId: null, details });
        return settings;
      });
    },
  };
}

/** The settings of the installation, for administrators (docs/protocol/operators.md#18.1). */
export type InstanceSettingsService = ReturnType<typeof createInstanceSettingsService>;
