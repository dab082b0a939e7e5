import { createEvent, errorTexts, forbidden, type Member, notFound } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import { findMember, type Membership } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import { appendAudit } from "../../access/audit-log/repository.js";
import { requireMemberForChange } from "../../access/change-lock.js";
import type { ServerAccess } from "../../access/repository.js";
import { requirePermission } from "../../access/server-access.js";
import { requireLowerRank } from "../roles/require-below.js";
import { setNickname } from "./repository.js";
import type { NicknameBody } from "./schema.js";

export function createNicknameService({ outbox }: { outbox: Outbox<Transaction> }) {
  return {
    /** Changes the nickname of the caller or of a member below them; the one that they have changes nothing. */
    async set(callerId: string, membership: Membership, { nickname }: NicknameBody): Promise<Member> {
      const { serverId, userId } = membership;
      return outbox.transaction([{ server_id: serverId }], async (transaction, emit) => {
        const access = await requireMemberForChange(transaction, serverId, callerId);
        const isOwn = userId === callerId;
        if (!isOwn) await requireRight(transaction, access, membership);
        const isChanged = nickname !== undefined && (await setNickname(transaction, membership, nickname));
        const member = await findMember(transaction, membership);
        if (member === null) throw notFound(errorTexts.member_not_found);
        if (!isChanged) return member;
        emit(createEvent("MEMBER_UPDATE", { server_id: serverId }, { server_id: serverId, member }));
        if (!isOwn) {
          const entry = { serverId, actorId: callerId, targetId: userId, action: "member_nickname" } as const;
          await appendAudit(transaction, { ...entry, details: { nickname } });
        }
        return member;
      });
    },
  };
}

export type NicknameService = ReturnType<typeof createNicknameService>;

/** @throws ServiceError 403 for the owner, without KICK_MEMBERS, and for who is not below the caller */
async function requireRight(transaction: Transaction, access: ServerAccess, { serverId, userId }: Membership) {
  if (userId === access.ownerId) throw forbidden(errorTexts.cannot_moderate_owner);
  requirePermission(access, "KICK_MEMBERS", errorTexts.missing_permission);
  await requireLowerRank(transaction, access, { server_id: serverId, user_id: userId });
}
