import { type ChannelOverride, caps, createEvent, errorTexts, forbidden, notFound } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import { isMember } from "@parley/moderation";
import { canGrant } from "@parley/permissions";
import { requireBelowCap } from "../../access/caps.js";
import type { InChannel, Subresource } from "../../access/may.js";
import type { ChannelAccess } from "../../access/repository.js";
import type { EndUnentitledVoice } from "../../voice/voice/end-unentitled.js";
import { requireRole } from "../roles/hierarchy.js";
import { countBesides, deleteOverride, hasOverride, type OverrideTarget, putOverride } from "./repository.js";
import type { PutOverride } from "./schema.js";

/** The override that a path names. */
export const namedOverride: Subresource<ChannelAccess, { override_id: string }, undefined> = {
  missing: [errorTexts.override_not_found],
  async find(connection, { channel }, { override_id }) {
    if (!(await hasOverride(connection, channel.id, override_id))) throw notFound(errorTexts.override_not_found);
  },
};

export function createChannelOverrideService({ endUnentitledVoice }: { endUnentitledVoice: EndUnentitledVoice }) {
  return {
    /** Creates or replaces the override of a role or member. */
    async put(may: InChannel, input: PutOverride): Promise<ChannelOverride> {
      const { serverId, override } = await may.change(async ({ transaction, emit, access, audit }) => {
        const { serverId, permissions, channel } = access;
        if (!canGrant(permissions, input.allow)) throw forbidden(errorTexts.cannot_grant_permissions);
        const target = await requireTarget(transaction, serverId, input);
        requireBelowCap(caps.overrides, await countBesides(transaction, channel.id, target));
        const override = await putOverride(transaction, channel.id, target, input);
        emit(createEvent("CHANNEL_OVERRIDE_UPDATE", { server_id: serverId }, override));
        const { id: override_id, role_id, user_id, allow, deny } = override;
        await audit("channel_override_update", channel.id, { override_id, role_id, user_id, allow, deny });
        return { serverId, override };
      });
      await endUnentitledVoice(serverId);
      return override;
    },

    async delete(may: InChannel, override_id: string): Promise<void> {
      const changedServerId = await may.change(async ({ transaction, emit, access, audit }) => {
        const { serverId, channel } = access;
        await deleteOverride(transaction, override_id);
        const deleted = { channel_id: channel.id, override_id };
        emit(createEvent("CHANNEL_OVERRIDE_DELETE", { server_id: serverId }, deleted));
        await audit("channel_override_delete", channel.id, { override_id });
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
  // The everyone role (docs/protocol/permissions.md#24.1).
  if (target === "role_id" && targetId === serverId) return { roleId: null, userId: null };
  if (target === "role_id") {
    await requireRole(transaction, serverId, targetId);
    return { roleId: targetId, userId: null };
  }
  if (!(await isMember(transaction, { serverId, userId: targetId }))) throw notFound(errorTexts.user_not_found);
  return { roleId: null, userId: targetId };
}
