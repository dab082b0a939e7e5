import {
  caps,
  conflict,
  createEvent,
  errorTexts,
  type Invite,
  type InvitePreview,
  invalidInput,
  notFound,
  type PublicInvitePreview,
} from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import { lockAccount, requireBelowCap } from "../../access/caps.js";
import type { InServer, MemberAccess, Subresource } from "../../access/may.js";
import { owner, permission } from "../../access/needs.js";
import type { ChangeTurns } from "../../platform/load/change-turns.js";
import { countingRefusal, requireNoRaid } from "../../rules/raids/joins.js";
import { insertAssignment } from "../member-roles/repository.js";
import { assignmentEvent } from "../member-roles/service.js";
import type { ReadMemberCounts } from "../members/counts.js";
import { addMember } from "../members/membership.js";
import { requireMayGive, requireRole } from "../roles/hierarchy.js";
import { findRole } from "../roles/repository.js";
import {
  clearRegisteredWith,
  countInForce,
  countUse,
  deleteInvite,
  findInvitedServer,
  findInvites,
  findPreview,
  findVanity,
  hasInvite,
  insertInvite,
  insertVanity,
  lockInvite,
  trimSpent,
} from "./repository.js";
import { toInvite } from "./resource.js";
import type { CreateInvite } from "./schema.js";

/** An invite by the ids in its path. */
export interface InviteAddress {
  server_id: string;
  invite_id: string;
}

/** The right to invite, which is the right to see and to revoke invites, too. */
export const createInvites = permission("CREATE_INVITES", errorTexts.create_invites_required);

/** The right to choose the address of a server. */
export const chooseVanity = owner(errorTexts.vanity_owner_only);

/** The invite that a path names. */
export const namedInvite: Subresource<MemberAccess, InviteAddress, undefined> = {
  missing: [errorTexts.invite_not_found],
  async find(connection, { serverId }, { invite_id }) {
    if (!(await hasInvite(connection, serverId, invite_id))) throw notFound(errorTexts.invite_not_found);
  },
};

export function createInviteService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  turns: ChangeTurns;
  memberCounts: ReadMemberCounts;
}) {
  const { database, outbox, turns, memberCounts } = options;
  return {
    /** Invites of a server, used up and expired ones too, newest first. */
    async list({ serverId }: MemberAccess): Promise<Invite[]> {
      return (await findInvites(database, serverId)).map(toInvite);
    },

    create(may: InServer, input: CreateInvite): Promise<Invite> {
      return may.change(async ({ transaction, emit, access, audit }) => {
        const { serverId, userId } = access;
        for (const id of input.role_ids ?? []) requireMayGive(access, await requireRole(transaction, serverId, id));
        requireBelowCap(caps.invites, await countInForce(transaction, serverId));
        for (const invite_id of await trimSpent(transaction, serverId)) {
          const trimmed = { server_id: serverId, invite_id };
          // Connections without `v=2` never heard of it.
          emit(createEvent("INVITE_DELETE", { server_id: serverId }, trimmed, { version: 2 }));
        }
        const invite = toInvite(await insertInvite(transaction, { serverId, createdBy: userId, ...input }));
        emit(createEvent("INVITE_CREATE", { server_id: serverId }, invite));
        await audit("invite_create", invite.id, {
          code: invite.code,
          max_uses: invite.max_uses,
          ...(invite.role_ids === undefined ? {} : { role_ids: invite.role_ids.join(", ") }),
        });
        return invite;
      });
    },

    revoke(may: InServer, { server_id, invite_id }: InviteAddress): Promise<void> {
      return may.change(async ({ transaction, emit, audit }) => {
        await deleteInvite(transaction, invite_id);
        emit(createEvent("INVITE_DELETE", { server_id }, { server_id, invite_id }));
        await audit("invite_revoke", invite_id, {});
      });
    },

    /** Gives a server an address that never expires, in place of the one before. */
    setVanity(may: InServer, code: string): Promise<Invite> {
      return may.change(async ({ transaction, emit, access: { serverId, userId }, audit }) => {
        const target = { server_id: serverId };
        const before = await findVanity(transaction, serverId);
        if (before?.code === code) return toInvite(before);
        if (before !== null) {
          await deleteInvite(transaction, before.id);
          emit(createEvent("INVITE_DELETE", target, { ...target, invite_id: before.id }));
        } else requireBelowCap(caps.invites, await countInForce(transaction, serverId));
        const row = await insertVanity(transaction, { serverId, code, createdBy: userId });
        if (row === undefined) throw conflict(errorTexts.vanity_taken);
        const invite = toInvite(row);
        emit(createEvent("INVITE_CREATE", target, invite));
        await audit("vanity_set", invite.id, { code });
        return invite;
      });
    },

    removeVanity(may: InServer): Promise<void> {
      return may.change(async ({ transaction, emit, access: { serverId }, audit }) => {
        const before = await findVanity(transaction, serverId);
        if (before === null) throw notFound(errorTexts.invite_not_found);
        await deleteInvite(transaction, before.id);
        emit(createEvent("INVITE_DELETE", { server_id: serverId }, { server_id: serverId, invite_id: before.id }));
        await audit("vanity_remove", before.id, { code: before.code });
      });
    },

    /** The preview for holders of the code, before they accept. */
    async preview(userId: string, code: string): Promise<InvitePreview> {
      const found = await findPreview(database, code, userId);
      if (found === null) throw notFound(errorTexts.invite_not_found_or_expired);
      return found.preview;
    },

    /** The same for a visitor with the code and no account yet. */
    async publicPreview(code: string): Promise<PublicInvitePreview> {
      const found = await findPreview(database, code, null);
      if (found === null) throw notFound(errorTexts.invite_not_found_or_expired);
      // Without an account, those who ask for one server share its turn.
      const { online } = await memberCounts(found.serverId, found.serverId);
      return { ...found.preview, online_count: online };
    },

    /** Makes the caller a member and counts the use, unless their registration has. Returns the server's id. */
    async accept(userId: string, code: string): Promise<string> {
      const found = await findInvitedServer(database, code);
      if (found === null) throw notFound(errorTexts.invite_not_found);
      const use = async (transaction: Transaction, emit: Emit) => {
        await lockAccount(transaction, userId);
        const invite = await lockInvite(transaction, code, userId);
        if (invite === null) throw notFound(errorTexts.invite_not_found);
        if (invite.expired) throw invalidInput(errorTexts.invite_expired);
        if (invite.used_up && !invite.is_counted) throw invalidInput(errorTexts.invite_used_up);
        await addMember(transaction, emit, { serverId: invite.server_id, userId, joinedWith: code });
        await giveRoles(transaction, emit, { serverId: invite.server_id, userId, roleIds: invite.role_ids });
        if (invite.is_counted) await clearRegisteredWith(transaction, userId);
        else await countUse(transaction, invite.id);
        return invite.server_id;
      };
      const joining = { serverId: found.server_id, userId };
      return countingRefusal(database, joining, async () => {
        await requireNoRaid(database, joining);
        return turns.run(userId, () => outbox.transaction([found], use));
      });
    },
  };
}

/** Gives a new member the roles of their invite that still exist. */
async function giveRoles(
  transaction: Transaction,
  emit: Emit,
  { serverId, userId, roleIds }: { serverId: string; userId: string; roleIds: readonly string[] },
): Promise<void> {
  for (const id of roleIds) {
    const role = await findRole(transaction, serverId, id);
    const address = { server_id: serverId, user_id: userId, role_id: id };
    if (role === null || !(await insertAssignment(transaction, address))) continue;
    emit(assignmentEvent("MEMBER_ROLE_ADD", address, role));
  }
}

export type InviteService = ReturnType<typeof createInviteService>;
