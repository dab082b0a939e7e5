import { type ChannelOverride, caps, createEvent, errorTexts, forbidden, notFound } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import { isMember } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import { canGrant } from "@parley/permissions";
import { appendAudit } from "../../access/audit-log/repository.js";
import { requireBelowCap } from "../../access/caps.js";
import { requireChannelForChange } from "../../access/change-lock.js";
import { requireChannel } from "../../access/channel-access.js";
import { findChannelAccess } from "../../access/repository.js";
import { requirePermission } from "../../access/server-access.js";
import type { EndUnentitledVoice } from "../../voice/voice/end-unentitled.js";
import { requireRole } from "../roles/hierarchy.js";
import {
  countBesides,
  deleteOverride,
  findOverrides,
  hasOverride,
  type OverrideTarget,
  putOverride,
} from "./repository.js";
import type { PutOverride } from "./schema.js";

/** An override by the ids in its path. */
export interface OverrideAddress {
  id: string;
  override_id: string;
}

export function createChannelOverrideService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  endUnentitledVoice: EndUnentitledVoice;
}) {
  const { database, outbox, endUnentitledVoice } = options;

  const orderOf = async (userId: string, channelId: string) => {
    const access = await findChannelAccess(database, channelId, userId);
    if (access === null) throw notFound(errorTexts.channel_not_found);
    return { server_id: access.serverId };
  };

  return {
    /** Overrides of a channel that the caller may view, those of roles first. */
    async list(userId: string, channelId: string): Promise<ChannelOverride[]> {
      await requireChannel(database, channelId, userId);
      return findOverrides(database, channelId);
    },

    /** Creates or replaces the override of a role or member. */
    async put(userId: string, channelId: string, input: PutOverride): Promise<ChannelOverride> {
      const order = await orderOf(userId, channelId);
      const { serverId, override } = await outbox.transaction([order], async (transaction, emit) => {
        const access = await requireChannelForChange(transaction, channelId, userId);
        const { serverId, permissions } = access;
        requirePermission(access, "MANAGE_CHANNELS", errorTexts.manage_channels_required_to_edit_overrides);
        if (!canGrant(permissions, input.allow)) throw forbidden(errorTexts.cannot_grant_permissions);
        const target = await requireTarget(transaction, serverId, input);
        requireBelowCap(caps.overrides, await countBesides(transaction, channelId, target));
        const override = await putOverride(transaction, channelId, target, input);
        emit(createEvent("CHANNEL_OVERRIDE_UPDATE", { server_id: serverId }, override));
        const { id: override_id, role_id, user_id, allow, deny } = override;
        await appendAudit(transaction, {
          serverId,
          actorId: userId,
          action: "channel_override_update",
          targetId: channelId,
          details: { override_id, role_id, user_id, allow, deny },
        });
        return { serverId, override };
      });
      await endUnentitledVoice(serverId);
      return override;
    },

    async delete(userId: string, { id: channelId, override_id }: OverrideAddress): Promise<void> {
      const order = await orderOf(userId, channelId);
      const changedServerId = await outbox.transaction([order], async (transaction, emit) => {
        const access = await requireChannelForChange(transaction, channelId, userId);
        const { serverId } = access;
        if (!(await hasOverride(transaction, channelId, override_id))) throw notFound(errorTexts.override_not_found);
        requirePermission(access, "MANAGE_CHANNELS", errorTexts.manage_channels_required_to_delete_overrides);
        await deleteOverride(transaction, override_id);
        const deleted = { channel_id: channelId, override_id };
        emit(createEvent("CHANNEL_OVERRIDE_DELETE", { server_id: serverId }, deleted));
        await appendAudit(transaction, {
          serverId,
          actorId: userId,
          action: "channel_override_delete",
          targetId: channelId,
          details: { override_id },
        });
        return serverId;
      });
      await endUnentitledVoice(changedServerId);
    },
  };
}

export type ChannelOverrideService = ReturnType<typeof createChannelOverrideService>;

/** @throws ServiceError 404 for a role of another server and for a user who is no member */
async function requireTarget(
  transaction: Transaction,
  serverId: string,
  { target, targetId }: PutOverride,
): Promise<OverrideTarget> {
  // The everyone role (docs/interface.md#24.1).
  if (target === "role_id" && targetId === serverId) return { roleId: null, userId: null };
  if (target === "role_id") {
    await requireRole(transaction, serverId, targetId);
    return { roleId: targetId, userId: null };
  }
  if (!(await isMember(transaction, { serverId, userId: targetId }))) throw notFound(errorTexts.user_not_found);
  return { roleId: null, userId: targetId };
}
