import type { Queryable } from "@parley/database/prisma";

/** The columns of an account that an administrator may change, or that decide whether they may. */
export async function findAdministered({ prisma }: Queryable, userId: string) {
  const bot = { select: { id: true } };
  const select = { username: true, is_admin: true, admin_by_setting: true, disabled_at: true, bot };
  return prisma.user.findUnique({ where: { id: userId }, select });
}

/** @param changes.disabled undefined leaves it as it is; true ends the account's sessions */
export async function updateAdministered(
  { prisma }: Queryable,
  userId: string,
  { is_admin, disabled }: { is_admin: boolean; disabled: boolean | undefined },
): Promise<void> {
  await prisma.user.update({
    where: { id: userId },
    data: {
      is_admin,
      ...(disabled === undefined ? {} : { disabled_at: disabled ? new Date() : null }),
      ...(disabled ? { session_version: { increment: 1 } } : {}),
    },
    select: { id: true },
  });
}
