import { createEvent, errorTexts, forbidden, notFound, type OutgoingEvent } from "@parley/contracts";
import type { Role, Transaction } from "@parley/database/prisma";
import { isMember } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import { appendAudit } from "../../access/audit-log/repository.js";
import { requireMemberForChange } from "../../access/change-lock.js";
import type { EndUnentitledVoice } from "../../voice/voice/end-unentitled.js";
import {
  requireHeld,
  requireManageRoles,
  requireOutranked,
  requireRightsHeld,
  requireRole,
} from "../roles/hierarchy.js";

import { deleteAssignment, insertAssignment, type MemberRoleAddress } from "./repository.js";

export function createMemberRoleService(options: {
  outbox: Outbox<Transaction>;
  endUnentitledVoice: EndUnentitledVoice;
}) {
  const { outbox, endUnentitledVoice } = options;
  return {
    /** Gives a member a role; one that they hold already changes nothing. */
    async assign(userId: string, address: MemberRoleAddress): Promise<void> {
      await outbox.transaction([{ server_id: address.server_id }], async (transaction, emit) => {
        const { access, role } = await requireAddressed(transaction, userId, address);
        requireOutranked(access, role.position, errorTexts.role_assign_above);
        // Positions do not limit bits: a role further down may hold more than the caller's own.
        requireHeld(access, role.permissions);
        requireRightsHeld(access, role.rights);
        if (!(await insertAssignment(transaction, address))) return;
        emit(changeEvent("MEMBER_ROLE_ADD", address, role));
        const details = { role_id: role.id, role_name: role.name };
        await appendAudit(transaction, { ...targetOf(address), actorId: userId, action: "member_role_add", details });
      });
      // A role takes rights, too, where an override denies it something.
      await endUnentitledVoice(address.server_id);
    },

    /** Takes a role from a member; one that they do not hold changes nothing. */
    async remove(userId: string, address: MemberRoleAddress): Promise<void> {
      await outbox.transaction([{ server_id: address.server_id }], async (transaction, emit) => {
        const { access, role } = await requireAddressed(transaction, userId, address);
        // Protects the owner from others; the owner passes every rule of the hierarchy (docs/interface.md#6.3).
        if (address.user_id === access.ownerId && !access.isOwner) {
          throw forbidden(errorTexts.owner_roles_fixed);
        }
        requireOutranked(access, role.position, errorTexts.role_remove_above);
        if (!(await deleteAssignment(transaction, address))) return;
        emit(changeEvent("MEMBER_ROLE_REMOVE", address, role));
        const details = { role_id: role.id, role_name: role.name };
        await appendAudit(transaction, {
          ...targetOf(address),
          actorId: userId,
          action: "member_role_remove",
          details,
        });
      });
      await endUnentitledVoice(address.server_id);
    },
  };
}

export type MemberRoleService = ReturnType<typeof createMemberRoleService>;

/** @throws ServiceError 404 for the role, for the target when they are no member; 403 without MANAGE_ROLES */
async function requireAddressed(transaction: Transaction, userId: string, address: MemberRoleAddress) {
  const { server_id, user_id, role_id } = address;
  const access = await requireMemberForChange(transaction, server_id, userId);
  const role = await requireRole(transaction, server_id, role_id);
  const isTargetMember = await isMember(transaction, { serverId: server_id, userId: user_id });
  if (!isTargetMember) throw notFound(errorTexts.server_not_found);
  requireManageRoles(access);
  return { access, role };
}

const targetOf = ({ server_id, user_id }: MemberRoleAddress) => ({ serverId: server_id, targetId: user_id });

function changeEvent(
  name: "MEMBER_ROLE_ADD" | "MEMBER_ROLE_REMOVE",
  { server_id, user_id }: MemberRoleAddress,
  role: Role,
): OutgoingEvent {
  const payload = { server_id, user_id, role_id: role.id, role_name: role.name, role_color: role.color };
  return createEvent(name, { server_id }, payload);
}
