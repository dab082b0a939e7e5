import { createEvent, errorTexts, forbidden, notFound, type OutgoingEvent, type Routing } from "@parley/contracts";
import type { Role } from "@parley/database/prisma";
import { isMember } from "@parley/moderation";
import type { InServer, MemberAccess, Subresource } from "../../access/may.js";
import type { EndUnentitledVoice } from "../../voice/voice/end-unentitled.js";
import { namedRole, requireMayGive, requireOutranked } from "../roles/hierarchy.js";
import { deleteAssignment, insertAssignment, type MemberRoleAddress } from "./repository.js";

export function createMemberRoleService({ endUnentitledVoice }: { endUnentitledVoice: EndUnentitledVoice }) {
  return {
    /** Gives a member a role; one that they hold already changes nothing. */
    async assign(may: InServer<Role>, address: MemberRoleAddress): Promise<void> {
      await may.change(async ({ transaction, emit, access, audit }) => {
        const role = access.found;
        requireMayGive(access, role);
        if (!(await insertAssignment(transaction, address))) return;
        emit(assignmentEvent("MEMBER_ROLE_ADD", address, role));
        await audit("member_role_add", address.user_id, { role_id: role.id, role_name: role.name });
      });
      // A role takes rights, too, where an override denies it something.
      await endUnentitledVoice(address.server_id);
    },

    /** Takes a role from a member; one that they do not hold changes nothing. */
    async remove(may: InServer<Role>, address: MemberRoleAddress): Promise<void> {
      await may.change(async ({ transaction, emit, access, audit }) => {
        const role = access.found;
        // Protects the owner from others; the owner passes every rule of the hierarchy (docs/protocol/permissions.md#6.3).
        if (address.user_id === access.ownerId && !access.isOwner) {
          throw forbidden(errorTexts.owner_roles_fixed);
        }
        requireOutranked(access, role.position, errorTexts.role_remove_above);
        if (!(await deleteAssignment(transaction, address))) return;
        emit(assignmentEvent("MEMBER_ROLE_REMOVE", address, role));
        await audit("member_role_remove", address.user_id, { role_id: role.id, role_name: role.name });
      });
      await endUnentitledVoice(address.server_id);
    },
  };
}

export type MemberRoleService = ReturnType<typeof createMemberRoleService>;

/** The role and the member that a path names. */
export const namedAssignment: Subresource<MemberAccess, MemberRoleAddress, Role> = {
  missing: namedRole.missing,
  async find(connection, access, params) {
    const role = await namedRole.find(connection, access, params);
    const isTargetMember = await isMember(connection, { serverId: access.serverId, userId: params.user_id });
    if (!isTargetMember) throw notFound(errorTexts.server_not_found);
    return role;
  },
};

/** A role was given or taken. */
export function assignmentEvent(
  name: "MEMBER_ROLE_ADD" | "MEMBER_ROLE_REMOVE",
  { server_id, user_id }: MemberRoleAddress,
  role: Role,
  routing?: Routing,
): OutgoingEvent {
  const payload = { server_id, user_id, role_id: role.id, role_name: role.name, role_color: role.color };
  return createEvent(name, { server_id }, payload, routing);
}
