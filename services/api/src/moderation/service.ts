import { forbidden, invalidInput, notFound, type Timeout } from "@parley/contracts";
import { type Database, defineStatement, type RawRow } from "@parley/database";
import type { Moderation } from "@parley/moderation";
import { decideModeration, type ModerationBit } from "@parley/permissions";
import { accessErrors } from "../access/error-texts.js";
import { requireMember } from "../access/server-access.js";
import type { RecordAudit } from "../audit-log/record.js";
import { moderationErrors } from "./error-texts.js";
import type { TimeoutBody } from "./schema.js";

/** Longest timeout by hand: 28 days (docs/interface.md#16.1). */
const timeoutMinutesMax = 40_320;

/** The moderated user and the server. */
export interface ModerationTarget {
  server_id: string;
  user_id: string;
}

/** Text of the 403 for callers without the action's right. */
export const lackPermission = "You lack the required permission for this action";
/** Text of the 400 for a duration that is missing, no integer, or out of range. */
export const durationMessage = `duration_minutes must be between 1 and ${timeoutMinutesMax} (28 days)`;

const memberStatement = defineStatement({
  name: "moderation_target_member",
  text: "SELECT user_id FROM members WHERE server_id = $1 AND user_id = $2",
  row: (row: RawRow) => String(row.user_id),
});

export function createModerationService(options: {
  database: Database;
  moderation: Moderation;
  recordAudit: RecordAudit;
}) {
  const { database, moderation, recordAudit } = options;

  const requireRight = async (userId: string, { server_id, user_id }: ModerationTarget, bit: ModerationBit) => {
    const { ownerId, permissions } = await requireMember(database, server_id, userId);
    const action = { callerId: userId, targetId: user_id, ownerId, callerPermissions: permissions, bit };
    switch (decideModeration(action)) {
      case "self":
        throw invalidInput(moderationErrors.yourself);
      case "owner":
        throw forbidden(moderationErrors.owner);
      case "forbidden":
        throw forbidden(lackPermission);
      case "allowed":
        return;
    }
  };
  const requireTargetMember = async ({ server_id, user_id }: ModerationTarget) => {
    const [member] = await database.query(memberStatement, [server_id, user_id]);
    if (member === undefined) throw notFound(accessErrors.serverNotFound);
  };
  const member = ({ server_id, user_id }: ModerationTarget) => ({ serverId: server_id, userId: user_id });
  const entry = (actorId: string, { server_id, user_id }: ModerationTarget) => ({
    serverId: server_id,
    actorId,
    targetId: user_id,
  });

  return {
    async kick(userId: string, target: ModerationTarget, reason: string | null): Promise<void> {
      await requireRight(userId, target, "KICK_MEMBERS");
      await requireTargetMember(target);
      const audit = recordAudit({ ...entry(userId, target), action: "member_kick", details: { reason } });
      await moderation.kick({ ...member(target), reason }, audit);
    },

    /** The target need not be a member. */
    async ban(userId: string, target: ModerationTarget, reason: string | null): Promise<void> {
      await requireRight(userId, target, "BAN_MEMBERS");
      const audit = recordAudit({ ...entry(userId, target), action: "member_ban", details: { reason } });
      await moderation.ban({ ...member(target), bannedBy: userId, reason }, audit);
    },

    async timeout(
      userId: string,
      target: ModerationTarget,
      { duration_minutes, reason = null }: TimeoutBody,
    ): Promise<Timeout> {
      await requireRight(userId, target, "MUTE_MEMBERS");
      await requireTargetMember(target);
      const minutes = requireMinutes(duration_minutes);
      const details = { duration_minutes: minutes, reason };
      const audit = recordAudit({ ...entry(userId, target), action: "member_timeout", details });
      return moderation.timeout({ ...member(target), minutes, reason, createdBy: userId }, audit);
    },

    async removeTimeout(userId: string, target: ModerationTarget): Promise<void> {
      await requireRight(userId, target, "MUTE_MEMBERS");
      const audit = recordAudit({ ...entry(userId, target), action: "member_timeout_remove", details: {} });
      await moderation.removeTimeout(member(target), audit);
    },
  };
}

/** Moderation by hand; every function makes the checks of docs/interface.md#10.1 in their order. */
export type ModerationService = ReturnType<typeof createModerationService>;

function requireMinutes(value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= timeoutMinutesMax) return value;
  throw invalidInput(durationMessage);
}
