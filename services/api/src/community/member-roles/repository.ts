import type { Transaction } from "@parley/database/prisma";

/** A role of a member by the ids in its path. */
export interface MemberRoleAddress {
  server_id: string;
  user_id: string;
  role_id: string;
}

/** @returns false when the member has the role already */
export async function insertAssignment({ prisma }: Transaction, data: MemberRoleAddress): Promise<boolean> {
  return (await prisma.memberRole.createMany({ data, skipDuplicates: true })).count > 0;
}

/** @returns false when the member does not have the role */
export async function deleteAssignment({ prisma }: Transaction, where: MemberRoleAddress): Promise<boolean> {
  return (await prisma.memberRole.deleteMany({ where })).count > 0;
}
