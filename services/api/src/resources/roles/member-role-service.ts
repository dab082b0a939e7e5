import { type AuditAction, createEvent, errorTexts, forbidden, notFound, type OutgoingEvent } from "@parley/contracts";
import type { Role, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { requireMemberForChange } from "../../access/change-lock.js";
import { appendAudit } from "../audit-log/append.js";
import type { EndUnentitledVoice } from "../voice/end-unentitled.js";
import { requireHeld, requireManageRoles, requireOutranked, requireRole } from "./hierarchy.js";

/** A role of a member by the ids in its path. */
export interface MemberRoleAddress {
  server_id: string;
  user_id: string;
  role_id: string;
}

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
        const { count } = await transaction.prisma.memberRole.createMany({ data: address, skipDuplicates: true });
        if (count === 0) return;
        emit(changeEvent("MEMBER_ROLE_ADD", address, role));
        await audit(transaction, { userId, address, role, action: "member_role_add" });
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
        const { count } = await transaction.prisma.memberRole.deleteMany({ where: address });
        if (count === 0) return;
        emit(changeEvent("MEMBER_ROLE_REMOVE", address, role));
        await audit(transaction, { userId, address, role, action: "member_role_remove" });
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
  const target = await transaction.prisma.member.findUnique({
    where: { server_id_user_id: { server_id, user_id } },
    select: { user_id: true },
  });
  if (target === null) throw notFound(errorTexts.server_not_found);
  requireManageRoles(access);
  return { access, role };
}

function changeEvent(
  name: "MEMBER_ROLE_ADD" | "MEMBER_ROLE_REMOVE",
  { server_id, user_id }: MemberRoleAddress,
  role: Role,
): OutgoingEvent {
  const payload = { server_id, user_id, role_id: role.id, role_name: role.name, role_color: role.color };
  return createEvent(name, { server_id }, payload);
}

function audit(
  transaction: Transaction,
  entry: {
    userId: string;
    address: MemberRoleAddress;
    role: Role;
    action: Extract<AuditAction, "member_role_add" | "member_role_remove">;
  },
): Promise<void> {
  return appendAudit(transaction, {
    serverId: entry.address.server_id,
    actorId: entry.userId,
    action: entry.action,
    targetId: entry.address.user_id,
    details: { role_id: entry.role.id, role_name: entry.role.name },
  });
}
