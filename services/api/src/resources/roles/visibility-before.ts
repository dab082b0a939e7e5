import type { VisibilityBefore } from "@parley/contracts";
import type { Role, Transaction } from "@parley/database";
import { hasPermission, viewEffectOf } from "@parley/permissions";

/** What an update of a role changes of who may view which channel; undefined for nothing. */
export function beforeUpdate(
  before: Pick<Role, "id" | "permissions">,
  after: Pick<Role, "permissions">,
): VisibilityBefore | undefined {
  const administrator = hasPermission(before.permissions, "ADMINISTRATOR");
  return administrator === hasPermission(after.permissions, "ADMINISTRATOR")
    ? undefined
    : { target: before.id, administrator };
}

/**
 * The same of its deletion, read before that. Who held it is known from its assignments, which stay as long as the event
 * can be replayed.
 */
export async function beforeDelete(
  transaction: Transaction,
  { id, permissions }: Pick<Role, "id" | "permissions">,
): Promise<VisibilityBefore | undefined> {
  const rows = await transaction.prisma.channelOverride.findMany({
    where: { role_id: id },
    select: { channel_id: true, allow: true, deny: true },
  });
  const effects = rows
    .map((row) => [row.channel_id, viewEffectOf(row)] as const)
    .filter(([, effect]) => effect !== "none");
  const administrator = hasPermission(permissions, "ADMINISTRATOR");
  if (!administrator && effects.length === 0) return undefined;
  return { target: id, administrator, overrides: Object.fromEntries(effects) };
}
