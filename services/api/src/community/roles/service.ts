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
import type { Database, Role as RoleRow, Transaction } from "@parley/database/prisma";
import { defaultRolePosition } from "@parley/permissions";
import { requireBelowCap } from "../../access/caps.js";
import type { InServer, MemberAccess } from "../../access/may.js";
import { isEmptyChange } from "../../platform/http/empty-change.js";
import { positionMax } from "../../platform/http/input.js";
import type { EndUnentitledVoice } from "../../voice/voice/end-unentitled.js";
import { requireHeld, requireOutranked, requireRightsHeld, roleActor } from "./hierarchy.js";
import {
  countRoles,
  deleteRole,
  findHighestPosition,
  findRoles,
  insertRole,
  updateEveryone,
  updateRole,
} from "./repository.js";
import { answerRole, roleEvents, toRole, toRoleWithRights } from "./resource.js";
import type { CreateRole, UpdateRole } from "./schema.js";

/** A role by the ids in its path. */
interface RoleAddress {
  server_id: string;
  role_id: string;
}

export function createRoleService(options: { database: Database; endUnentitledVoice: EndUnentitledVoice }) {
  const { database, endUnentitledVoice } = options;
  return {
    /** Roles of a server, the highest first. */
    async list({ serverId }: MemberAccess, withRights: boolean): Promise<Role[]> {
      return (await findRoles(database, serverId)).map(withRights ? toRoleWithRights : toRole);
    },

    create(
      may: InServer,
      { name, permissions = 0, color = defaultRoleColor, rights: names, mentionable = false, ...input }: CreateRole,
    ): Promise<Role> {
      return may.change(async ({ transaction, emit, access, audit }) => {
        const { serverId } = access;
        const position = input.position ?? (await findDefaultPosition(transaction, access));
        requireOutranked(access, position, errorTexts.role_create_above);
        requireHeld(access, permissions);
        const rights = rightsOf(names ?? []);
        requireRightsHeld(access, rights);
        requireBelowCap(caps.roles, await countRoles(transaction, serverId));
        const data = { server_id: serverId, name, permissions, rights, color, position, mentionable };
        const row = await insertRole(transaction, data);
        for (const event of roleEvents("ROLE_CREATE", row)) emit(event);
        await audit("role_create", row.id, { name, permissions });
        return answerRole(row, names !== undefined);
      });
    },

    /** Changes a role of a server, or its everyone role. */
    async update(may: InServer<RoleRow>, { server_id: serverId, role_id }: RoleAddress, changes: UpdateRole) {
      const isEveryone = role_id === serverId;
      const updated = await may.change(async ({ transaction, emit, access, audit }) => {
        if (isEveryone) checkEveryone(changes);
        const before = access.found;
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
          : updateRole(transaction, role_id, changes));
        for (const event of roleEvents("ROLE_UPDATE", row)) emit(event);
        const { name, permissions } = row;
        await audit("role_update", row.id, { name, permissions });
        return answerRole(row, changes.rights !== undefined);
      });
      await endUnentitledVoice(serverId);
      return updated;
    },

    /** Deletes a role with its assignments and overrides. */
    async delete(may: InServer<RoleRow>, { server_id: serverId, role_id }: RoleAddress): Promise<void> {
      await may.change(async ({ transaction, emit, access, audit }) => {
        const { name, position } = access.found;
        requireOutranked(access, position, errorTexts.role_delete_above);
        await deleteRole(transaction, role_id);
        emit(createEvent("ROLE_DELETE", { server_id: serverId }, { server_id: serverId, role_id }));
        await audit("role_delete", role_id, { name });
      });
      await endUnentitledVoice(serverId);
    },
  };
}

export type RoleService = ReturnType<typeof createRoleService>;

/** @throws ServiceError 400 for fields that the everyone role cannot have (docs/protocol/permissions.md#24.1) */
function checkEveryone({ name, color, position, mentionable, permissions = 0 }: UpdateRole): void {
  if ([name, color, position, mentionable].some((value) => value !== undefined))
    throw invalidInput(errorTexts.everyone_permissions_only);
  if ((permissions & permissionBits.ADMINISTRATOR) !== 0) throw invalidInput(errorTexts.everyone_not_administrator);
}

async function findDefaultPosition(transaction: Transaction, access: MemberAccess): Promise<number> {
  const highest = await findHighestPosition(transaction, access.serverId);
  return Math.min(defaultRolePosition(roleActor(access), [highest]), positionMax);
}
