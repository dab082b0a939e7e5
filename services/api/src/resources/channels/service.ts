import { type Channel, caps, errorTexts, invalidInput, notFound } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Logger } from "@parley/service-runtime";
import type { Voice } from "@parley/voice";
import { requireBelow } from "../../access/caps.js";
import { requireChannelForChange, requireMemberForChange } from "../../access/change-lock.js";
import { requireView } from "../../access/channel-access.js";
import { type ChannelAccess, findChannelAccess, findViewableChannels } from "../../access/repository.js";
import { requireMember, requirePermission } from "../../access/server-access.js";
import type { ChangeTurns } from "../../load/change-turns.js";
import { appendAudit } from "../audit-log/repository.js";
import { withVoiceCleanup } from "../voice/with-voice-cleanup.js";
import { countChannels, deleteChannel, insertChannel, updateChannel } from "./repository.js";
import { toChannel } from "./resource.js";
import type { CreateChannel, UpdateChannel } from "./schema.js";

/** A channel by its id; the longer path names its server too, and a mismatch is 404 (docs/interface.md#1.1). */
export interface ChannelAddress {
  id: string;
  server_id?: string | undefined;
}

export function createChannelService(options: {
  database: Database;
  turns: ChangeTurns;
  voice: Voice;
  logger: Logger;
}) {
  const { database, turns, voice, logger } = options;
  const changeInTurn = <T>(serverId: string, change: (transaction: Transaction) => Promise<T>) =>
    turns.run(serverId, () => database.transaction(change));

  const requireAddressed = async (userId: string, address: ChannelAddress) => {
    const access = await findChannelAccess(database, address.id, userId);
    if (access === null) throw notFound(errorTexts.channel_not_found);
    requireSameServer(access, address);
    return access;
  };

  return {
    /** Channels of a server that the caller may view, in display order. */
    async list(userId: string, serverId: string): Promise<Channel[]> {
      await requireMember(database, serverId, userId);
      return (await findViewableChannels(database, serverId, userId)).map(toChannel);
    },

    async get(userId: string, address: ChannelAddress): Promise<Channel> {
      const access = await requireAddressed(userId, address);
      requireView(access);
      return toChannel(access.channel);
    },

    async create(userId: string, serverId: string, channel: CreateChannel): Promise<Channel> {
      requireManageChannels(await requireMember(database, serverId, userId));
      return changeInTurn(serverId, async (transaction) => {
        requireManageChannels(await requireMemberForChange(transaction, serverId, userId));
        requireBelow(caps.channels, await countChannels(transaction, serverId));
        const row = await insertChannel(transaction, serverId, channel);
        if (row === undefined) throw notFound(errorTexts.server_not_found);
        const details = { name: row.name, type: row.type };
        await appendAudit(transaction, {
          serverId,
          actorId: userId,
          action: "channel_create",
          targetId: row.id,
          details,
        });
        return toChannel(row);
      });
    },

    async update(userId: string, address: ChannelAddress, { type, ...changes }: UpdateChannel): Promise<Channel> {
      const { serverId } = await requireAddressed(userId, address);
      return changeInTurn(serverId, async (transaction) => {
        const access = await requireChannelForChange(transaction, address.id, userId);
        requireSameServer(access, address);
        requireManageChannels(access);
        const { channel } = access;
        if (type !== undefined && type !== channel.type) throw invalidInput(errorTexts.channel_type_fixed);
        const row = await updateChannel(transaction, channel.id, changes);
        const { name, topic, category, position } = row;
        const details = { name, topic, category, position };
        await appendAudit(transaction, {
          serverId,
          actorId: userId,
          action: "channel_update",
          targetId: row.id,
          details,
        });
        return toChannel(row);
      });
    },

    async delete(userId: string, address: ChannelAddress): Promise<void> {
      const access = await requireAddressed(userId, address);
      requireManageChannels(access);
      const { id: targetId, server_id: serverId, name } = access.channel;
      const remove = () =>
        changeInTurn(serverId, async (transaction) => {
          requireManageChannels(await requireChannelForChange(transaction, targetId, userId));
          await deleteChannel(transaction, targetId);
          const details = { name };
          await appendAudit(transaction, { serverId, actorId: userId, action: "channel_delete", targetId, details });
        });
      await withVoiceCleanup(logger, () => voice.clearChannel(targetId), remove);
    },
  };
}

export type ChannelService = ReturnType<typeof createChannelService>;

/** @throws ServiceError 403 without MANAGE_CHANNELS */
function requireManageChannels(access: { permissions: number }): void {
  requirePermission(access, "MANAGE_CHANNELS", errorTexts.manage_channels_required);
}

/** @throws ServiceError 404 when the longer path names another server */
function requireSameServer(access: ChannelAccess, { server_id }: ChannelAddress): void {
  if (server_id !== undefined && server_id !== access.serverId) throw notFound(errorTexts.channel_not_found);
}
