import { createEvent, errorTexts, forbidden, type Member, notFound } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import { findMember, type Membership } from "@parley/moderation";
import type { InServer } from "../../access/may.js";
import { permission, requireAll } from "../../access/needs.js";
import type { ServerAccess } from "../../access/repository.js";
import { requireModeratorsFactor } from "../../access/required-factor.js";
import { requireLowerRank } from "../roles/require-below.js";
import { setNickname } from "./repository.js";
import type { NicknameBody } from "./schema.js";

/** Changes the nickname of the caller or of a member below them; the one that they have changes nothing. */
export function changeNickname(may: InServer, userId: string, { nickname }: NicknameBody): Promise<Member> {
  return may.change(async ({ transaction, emit, access, audit }) => {
    const { serverId } = access;
    const membership = { serverId, userId };
    const isOwn = userId === access.userId;
    if (!isOwn) await requireRight(transaction, access, membership);
    const isChanged = nickname !== undefined && (await setNickname(transaction, membership, nickname));
    const member = await findMember(transaction, membership);
    if (member === null) throw notFound(errorTexts.member_not_found);
    if (!isChanged) return member;
    emit(createEvent("MEMBER_UPDATE", { server_id: serverId }, { server_id: serverId, member }));
    if (!isOwn) await audit("member_nickname", userId, { nickname });
    return member;
  });
}

/** @throws ServiceError 403 for the owner, without KICK_MEMBERS, and for a member who is not below the caller */
async function requireRight(
  transaction: Transaction,
  access: ServerAccess & { userId: string },
  { serverId, userId }: Membership,
) {
  if (userId === access.ownerId) throw forbidden(errorTexts.cannot_moderate_owner);
  requireAll(access, [permission("KICK_MEMBERS", errorTexts.missing_permission)]);
  await requireModeratorsFactor(transaction, access);
  await requireLowerRank(transaction, access, { server_id: serverId, user_id: userId });
}
