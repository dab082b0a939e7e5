import {
  caps,
  createEvent,
  defaultRoleColor,
  errorTexts,
  invalidInput,
  permissionBits,
  type Role,
  rightsOf,
} from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { defaultRolePosition } from "@parley/permissions";
import { appendAudit } from "../../access/audit-log/repository.js";
import { requireBelowCap } from "../../access/caps.js";
import { requireMemberForChange } from "../../access/change-lock.js";
import type { ServerAccess } from "../../access/repository.js";
import { requireMember } from "../../access/server-access.js";
import { isEmptyChange } from "../../platform/http/empty-change.js";
import { positionMax } from "../../platform/http/input.js";
import type { EndUnentitledVoice } from "../../voice/voice/end-unentitled.js";
import {
  requireHeld,
  requireManageRoles,
  requireOutranked,
  requireRightsHeld,
  requireRole,
  roleActor,
} from "./hierarchy.js";
import {
  countRoles,
  deleteRole,
  findEveryone,
  findHighestPosition,
  findRoles,
  insertRole,
  updateEveryone,
  updateRole,
} from "./repository.js";
import { answerRole, roleEvents, toRole, toRoleWithRights } from "./resource.js";
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
    async list(userId: string, serverId: string, withRights: boolean): Promise<Role[]> {
      await requireMember(database, serverId, userId);
      return (await findRoles(database, serverId)).map(withRights ? toRoleWithRights : toRole);
    },

    /** A role of a server, or its everyone role. */
    async read(userId: string, { server_id, role_id }: RoleAddress, withRights: boolean): Promise<Role> {
      await requireMember(database, server_id, userId);
      const row = await (role_id === server_id
        ? findEveryone(database, server_id)
        : requireRole(database, server_id, role_id));
      return answerRole(row, withRights);
    },

    create(
      userId: string,
      serverId: string,
      { name, permissions = 0, color = defaultRoleColor, rights: names, ...input }: CreateRole,
    ): Promise<Role> {
      return outbox.transaction([{ server_id: serverId }], async (transaction, emit) => {
        const access = await requireMemberForChange(transaction, serverId, userId);
        requireManageRoles(access);
        const position = input.position ?? (await findDefaultPosition(transaction, access));
        requireOutranked(access, position, errorTexts.role_create_above);
        requireHeld(access, permissions);
        const rights = rightsOf(names ?? []);
        requireRightsHeld(access, rights);
        requireBelowCap(caps.roles, await countRoles(transaction, serverId));
        const row = await insertRole(transaction, { server_id: serverId, name, permissions, rights, color, position });
        for (const event of roleEvents("ROLE_CREATE", row)) emit(event);
        const details = { name, permissions };
        await appendAudit(transaction, { serverId, actorId: userId, action: "role_create", targetId: row.id, details });
        return answerRole(row, names !== undefined);
      });
    },

    async update(
      userId: string,
      { server_id: serverId, role_id: roleId }: RoleAddress,
      changes: UpdateRole,
    ): Promise<Role> {
      const isEveryone = roleId === serverId;
      const updated = await outbox.transaction([{ server_id: serverId }], async (transaction, emit) => {
        const access = await requireMemberForChange(transaction, serverId, userId);
        if (isEveryone) checkEveryone(changes);
        const before = await (isEveryone
          ? findEveryone(transaction, serverId)
          : requireRole(transaction, serverId, roleId));
        requireManageRoles(access);
        // The everyone role has no place in the hierarchy.
        if (!isEveryone) requireOutranked(access, before.position, errorTexts.role_edit_above);
        if (changes.position !== undefined) {
          requireOutranked(access, changes.position, errorTexts.role_move_above);
        }
        // Clients send the whole bitfield: bits that the role has already are not granted by this request.
        if (changes.permissions !== undefined) requireHeld(access, changes.permissions & ~before.permissions);
        if (changes.rights !== undefined) requireRightsHeld(access, rightsOf(changes.rights) & ~before.rights);
        if (isEmptyChange(changes)) return answerRole(before, false);
        const row = await (isEveryone
          ? updateEveryone(transaction, serverId, changes)
          : updateRole(transaction, roleId, changes));
        for (const event of roleEvents("ROLE_UPDATE", row)) emit(event);
        const { name, permissions } = row;
        const details = { name, permissions };
        await appendAudit(transaction, { serverId, actorId: userId, action: "role_update", targetId: row.id, details });
        return answerRole(row, changes.rights !== undefined);
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

/** @throws ServiceError 400 for what the everyone role cannot have (docs/interface.md#24.1) */
function checkEveryone({ name, color, position, permissions = 0 }: UpdateRole): void {
  if (name !== undefined || color !== undefined || position !== undefined)
    throw invalidInput(errorTexts.everyone_permissions_only);
  if ((permissions & permissionBits.ADMINISTRATOR) !== 0) throw invalidInput(errorTexts.everyone_not_administrator);
}

async function findDefaultPosition(transaction: Transaction, access: ServerAccess): Promise<number> {
  const highest = await findHighestPosition(transaction, access.serverId);
  return Math.min(defaultRolePosition(roleActor(access), [highest]), positionMax);
}
