import {
  type BulkBan,
  errorTexts,
  forbidden,
  invalidInput,
  notFound,
  ServiceError,
  type Timeout,
} from "@parley/contracts";
import type { Database, Queryable, Transaction } from "@parley/database/prisma";
import { type ExtraWork, isMember, type Moderation } from "@parley/moderation";
import { decideModeration, type ModerationBit } from "@parley/permissions";
import type { RecordAudit } from "../../access/audit-log/record.js";
import type { AuditEntry } from "../../access/audit-log/repository.js";
import type { InServer, MemberAccess } from "../../access/may.js";
import { requireModeratorsFactor } from "../../access/required-factor.js";
import { requireLowerRank } from "../../community/roles/require-below.js";
import { type BanBody, type BulkBanBody, type TimeoutBody, timeoutMinutesMax } from "./schema.js";

/** The moderated user and the server. */
export interface ModerationTarget {
  server_id: string;
  user_id: string;
}

export function createModerationService(options: {
  database: Database;
  moderation: Moderation<Transaction>;
  recordAudit: RecordAudit;
}) {
  const { database, moderation, recordAudit } = options;

  const requireRight = async (
    may: InServer,
    connection: Queryable,
    { target, bit }: { target: ModerationTarget; bit: ModerationBit },
  ): Promise<MemberAccess> => {
    const access = await may.access(connection);
    const { userId: callerId, ownerId, permissions } = access;
    const action = { callerId, targetId: target.user_id, ownerId, callerPermissions: permissions, bit };
    switch (decideModeration(action)) {
      case "self":
        throw invalidInput(errorTexts.cannot_moderate_yourself);
      case "owner":
        throw forbidden(errorTexts.cannot_moderate_owner);
      case "forbidden":
        throw forbidden(errorTexts.missing_permission);
      case "allowed":
        await requireModeratorsFactor(connection, access);
        if (access.hierarchy) await requireLowerRank(connection, access, target);
        return access;
    }
  };
  /**
   * Checks the right to an action before anything is locked. It returns a function that makes the further work of the
   * action's transaction: the same check again, and the audit entry.
   */
  const begin = async (may: InServer, action: { target: ModerationTarget; bit: ModerationBit }) => {
    const { serverId, userId: actorId } = await requireRight(may, database, action);
    const targetId = action.target.user_id;
    const extraWork = (about: Pick<AuditEntry, "action" | "details">): ExtraWork<Transaction> => {
      const audit = recordAudit({ serverId, actorId, targetId, ...about });
      return async (transaction, emit) => {
        // The server is locked now, so the right is checked as committed; without it the moderation is rolled back.
        await requireRight(may, transaction, action);
        await audit(transaction, emit);
      };
    };
    return { actorId, extraWork };
  };
  const member = ({ server_id, user_id }: ModerationTarget) => ({ serverId: server_id, userId: user_id });
  const requireTargetMember = async (target: ModerationTarget) => {
    if (!(await isMember(database, member(target)))) throw notFound(errorTexts.server_not_found);
  };

  const ban = async (may: InServer, target: ModerationTarget, body: BanBody): Promise<void> => {
    const { actorId: bannedBy, extraWork } = await begin(may, { target, bit: "BAN_MEMBERS" });
    const { reason = null, expires_in_minutes: expiresInMinutes, delete_message_seconds: deleteMessageSeconds } = body;
    const ban = { ...member(target), bannedBy, reason, expiresInMinutes, deleteMessageSeconds };
    await moderation.ban(ban, extraWork({ action: "member_ban", details: { reason } }));
  };

  return {
    async kick(may: InServer, target: ModerationTarget, reason: string | null): Promise<void> {
      const { extraWork } = await begin(may, { target, bit: "KICK_MEMBERS" });
      await requireTargetMember(target);
      await moderation.kick({ ...member(target), reason }, extraWork({ action: "member_kick", details: { reason } }));
    },

    /** The target need not be a member. */
    ban,

    /**
     * Bans one user after the other, each as {@link ban} (docs/protocol/moderation.md#24.4). One at a time: they have the same
     * server and so the same lock.
     */
    async banMany(may: InServer, { user_ids, ...body }: BulkBanBody): Promise<BulkBan> {
      const { serverId: server_id } = await may.access();
      const result: BulkBan = { banned: [], failed: [] };
      for (const user_id of user_ids) {
        try {
          await ban(may, { server_id, user_id }, { ...body, expires_in_minutes: undefined });
          result.banned.push(user_id);
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          result.failed.push({ user_id, error: error.message });
        }
      }
      return result;
    },

    async timeout(
      may: InServer,
      target: ModerationTarget,
      { duration_minutes, reason = null }: TimeoutBody,
    ): Promise<Timeout> {
      const { actorId, extraWork } = await begin(may, { target, bit: "MUTE_MEMBERS" });
      await requireTargetMember(target);
      const minutes = requireMinutes(duration_minutes);
      const details = { duration_minutes: minutes, reason };
      const timeout = { ...member(target), minutes, reason, createdBy: actorId };
      return moderation.timeout(timeout, extraWork({ action: "member_timeout", details }));
    },

    async removeTimeout(may: InServer, target: ModerationTarget): Promise<void> {
      const { extraWork } = await begin(may, { target, bit: "MUTE_MEMBERS" });
      await moderation.removeTimeout(member(target), extraWork({ action: "member_timeout_remove", details: {} }));
    },
  };
}

/** Moderation by hand; every function makes the checks of docs/protocol/moderation.md#10.1 in their order. */
export type ModerationService = ReturnType<typeof createModerationService>;

function requireMinutes(value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= timeoutMinutesMax) return value;
  throw invalidInput(errorTexts.duration_minutes_range);
}
