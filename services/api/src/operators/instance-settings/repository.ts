import type { InstanceSettings as InstanceSettingsRow, Queryable, Transaction } from "@parley/database/prisma";
import { InstanceSettings, type UpdateSettings } from "./schema.js";

const where = { id: 1 };

const toSettings = (row: InstanceSettingsRow): InstanceSettings =>
  InstanceSettings.parse({ ...row, updated_at: row.updated_at.toISOString() });

/** The settings of the installation. */
export async function readSettings({ prisma }: Queryable): Promise<InstanceSettings> {
  return toSettings(await prisma.instanceSettings.findUniqueOrThrow({ where }));
}

export async function updateSettings(
  { prisma }: Transaction,
  adminId: string,
  changes: UpdateSettings,
): Promise<InstanceSettings> {
  const data = { ...changes, updated_at: new Date(), updated_by: adminId };
  return toSettings(await prisma.instanceSettings.update({ where, data }));
}
