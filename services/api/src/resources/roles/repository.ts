import { caps } from "@parley/contracts";
import type { Queryable, Role, Transaction } from "@parley/database/prisma";
import type { UpdateRole } from "./schema.js";

/** Roles of a server, the highest first. */
export function findRoles({ prisma }: Queryable, serverId: string): Promise<Role[]> {
  return prisma.role.findMany({ where: { server_id: serverId }, orderBy: [{ position: "desc" }, { id: "asc" }] });
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

export function insertRole({ prisma }: Transaction, data: Omit<Role, "id" | "created_at">): Promise<Role> {
  return prisma.role.create({ data });
}

export function updateRole({ prisma }: Transaction, roleId: string, data: UpdateRole): Promise<Role> {
  return prisma.role.update({ where: { id: roleId }, data });
}

export async function deleteRole({ prisma }: Transaction, roleId: string): Promise<void> {
  await prisma.role.delete({ where: { id: roleId } });
}
