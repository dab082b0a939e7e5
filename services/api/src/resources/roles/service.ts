import { caps, createEvent, defaultRoleColor, errorTexts, type Role } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { defaultRolePosition } from "@parley/permissions";
import { requireBelow } from "../../access/caps.js";
import { requireMemberForChange } from "../../access/change-lock.js";
import type { ServerAccess } from "../../access/repository.js";
import { requireMember } from "../../access/server-access.js";
import { positionMax } from "../../http/input.js";
import { appendAudit } from "../audit-log/repository.js";
import type { EndUnentitledVoice } from "../voice/end-unentitled.js";
import { requireHeld, requireManageRoles, requireOutranked, requireRole, roleActor } from "./hierarchy.js";
import { countRoles, deleteRole, findHighestPosition, findRoles, insertRole, updateRole } from "./repository.js";
import { toRole } from "./resource.js";
import type { CreateRole, UpdateRole } from "./schema.js";

/** A role by the ids in its path. */
export interface RoleAddress {
  server_id: string;
  role_id: string;
}

export function createRoleService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  endUnentitledVoice: EndUnentitledVoice;
}) {
  const { database, outbox, endUnentitledVoice } = options;
  return {
    /** Roles of a server, the highest first. */
    async list(userId: string, serverId: string): Promise<Role[]> {
      await requireMember(database, serverId, userId);
      return (await findRoles(database, serverId)).map(toRole);
    },

    create(
      userId: string,
      serverId: string,
      { name, permissions = 0, color = defaultRoleColor, ...input }: CreateRole,
    ): Promise<Role> {
      return outbox.transaction([{ server_id: serverId }], async (transaction, emit) => {
        const access = await requireMemberForChange(transaction, serverId, userId);
        requireManageRoles(access);
        const position = input.position ?? (await findDefaultPosition(transaction, access));
        requireOutranked(access, position, errorTexts.role_create_above);
        requireHeld(access, permissions);
        requireBelow(caps.roles, await countRoles(transaction, serverId));
        const row = await insertRole(transaction, { server_id: serverId, name, permissions, color, position });
        const role = toRole(row);
        emit(createEvent("ROLE_CREATE", { server_id: serverId }, role));
        const details = { name, permissions };
        await appendAudit(transaction, { serverId, actorId: userId, action: "role_create", targetId: row.id, details });
        return role;
      });
    },

    async update(
      userId: string,
      { server_id: serverId, role_id: roleId }: RoleAddress,
      changes: UpdateRole,
    ): Promise<Role> {
      const updated = await outbox.transaction([{ server_id: serverId }], async (transaction, emit) => {
        const access = await requireMemberForChange(transaction, serverId, userId);
        const before = await requireRole(transaction, serverId, roleId);
        requireManageRoles(access);
        requireOutranked(access, before.position, errorTexts.role_edit_above);
        if (changes.position !== undefined) {
          requireOutranked(access, changes.position, errorTexts.role_move_above);
        }
        // Clients send the whole bitfield: bits that the role has already are not granted by this request.
        if (changes.permissions !== undefined) requireHeld(access, changes.permissions & ~before.permissions);
        const row = await updateRole(transaction, roleId, changes);
        const role = toRole(row);
        emit(createEvent("ROLE_UPDATE", { server_id: serverId }, role));
        const { name, permissions } = role;
        const details = { name, permissions };
        await appendAudit(transaction, { serverId, actorId: userId, action: "role_update", targetId: row.id, details });
        return role;
      });
      await endUnentitledVoice(serverId);
      return updated;
    },

    /** Deletes a role with its assignments and overrides. */
    async delete(userId: string, { server_id: serverId, role_id: roleId }: RoleAddress): Promise<void> {
      await outbox.transaction([{ server_id: serverId }], async (transaction, emit) => {
        const access = await requireMemberForChange(transaction, serverId, userId);
        const row = await requireRole(transaction, serverId, roleId);
        requireManageRoles(access);
        requireOutranked(access, row.position, errorTexts.role_delete_above);
        await deleteRole(transaction, roleId);
        emit(createEvent("ROLE_DELETE", { server_id: serverId }, { server_id: serverId, role_id: roleId }));
        const details = { name: row.name };
        await appendAudit(transaction, { serverId, actorId: userId, action: "role_delete", targetId: row.id, details });
      });
      await endUnentitledVoice(serverId);
    },
  };
}

export type RoleService = ReturnType<typeof createRoleService>;

async function findDefaultPosition(transaction: Transaction, access: ServerAccess): Promise<number> {
  const highest = await findHighestPosition(transaction, access.serverId);
  return Math.min(defaultRolePosition(roleActor(access), [highest]), positionMax);
}
