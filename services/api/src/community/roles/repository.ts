import { caps, defaultRoleColor, rightsOf } from "@parley/contracts";
import type { Queryable, Role, Transaction } from "@parley/database/prisma";
import type { UpdateRole } from "./schema.js";

/** Roles of a server, the highest first. */
export function findRoles({ prisma }: Queryable, serverId: string): Promise<Role[]> {
  return prisma.role.findMany({ where: { server_id: serverId }, orderBy: [{ position: "desc" }, { id: "asc" }] });
}

/** The everyone role of a server that exists (docs/protocol/permissions.md#24.1), which is a part of the server's row. */
export async function findEveryone({ prisma }: Queryable, serverId: string): Promise<Role> {
  const columns = { everyone_permissions: true, everyone_rights: true, created_at: true };
  const server = await prisma.server.findUniqueOrThrow({ where: { id: serverId }, select: columns });
  return {
    id: serverId,
    server_id: serverId,
    name: "everyone",
    permissions: server.everyone_permissions,
    rights: server.everyone_rights,
    color: defaultRoleColor,
    position: 0,
    mentionable: false,
    created_at: server.created_at,
  };
}

export async function updateEveryone(
  transaction: Transaction,
  serverId: string,
  { permissions, rights }: Pick<UpdateRole, "permissions" | "rights">,
): Promise<Role> {
  await transaction.prisma.server.update({
    where: { id: serverId },
    data: { everyone_permissions: permissions, everyone_rights: rights && rightsOf(rights) },
  });
  return findEveryone(transaction, serverId);
}

export function findRole({ prisma }: Queryable, serverId: string, roleId: string): Promise<Role | null> {
  return prisma.role.findFirst({ where: { id: roleId, server_id: serverId } });
}

/** How many roles a server has, counted up to the cap. */
export function countRoles({ prisma }: Transaction, serverId: string): Promise<number> {
  return prisma.role.count({ where: { server_id: serverId }, take: caps.roles.max });
}

/** The position of a server's highest role; 0 without roles. */
export async function findHighestPosition({ prisma }: Transaction, serverId: string): Promise<number> {
  const { _max } = await prisma.role.aggregate({ where: { server_id: serverId }, _max: { position: true } });
  return _max.position ?? 0;
}

/** @param data.created_at now where left out */
export function insertRole(
  { prisma }: Transaction,
  data: Omit<Role, "id" | "created_at"> & { created_at?: Date },
): Promise<Role> {
  return prisma.role.create({ data });
}

export function updateRole({ prisma }: Transaction, roleId: string, data: UpdateRole): Promise<Role> {
  const { rights, ...columns } = data;
  return prisma.role.update({ where: { id: roleId }, data: { ...columns, rights: rights && rightsOf(rights) } });
}

export async function deleteRole({ prisma }: Transaction, roleId: string): Promise<void> {
  await prisma.role.delete({ where: { id: roleId } });
}
