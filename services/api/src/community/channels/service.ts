import { type Channel, caps, createEvent, errorTexts, invalidInput, notFound } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Emit, OrderedWith, Outbox } from "@parley/outbox";
import type { Logger } from "@parley/service-runtime";
import type { Voice } from "@parley/voice";
import { appendAudit } from "../../access/audit-log/repository.js";
import { requireBelowCap } from "../../access/caps.js";
import { requireChannelForChange, requireMemberForChange } from "../../access/change-lock.js";
import { requireView } from "../../access/channel-access.js";
import { type ChannelAccess, findChannelAccess, findViewableChannels } from "../../access/repository.js";
import { requireMember, requirePermission } from "../../access/server-access.js";
import { isEmptyChange } from "../../platform/http/empty-change.js";
import type { ChangeTurns } from "../../platform/load/change-turns.js";
import { withVoiceCleanup } from "../../voice/voice/with-voice-cleanup.js";
import { countChannels, deleteChannel, findViewRule, insertChannel, updateChannel } from "./repository.js";
import { toChannel } from "./resource.js";
import type { CreateChannel, UpdateChannel } from "./schema.js";

/** A channel by its id; the longer path names its server too, and a mismatch is 404 (docs/interface.md#1.1). */
export interface ChannelAddress {
  id: string;
  server_id?: string | undefined;
}

export function createChannelService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  turns: ChangeTurns;
  voice: Voice;
  logger: Logger;
}) {
  const { database, outbox, turns, voice, logger } = options;
  /** Changes of different channels lock the row of their server, so they take turns, too. */
  const changeInTurn = <T>(order: OrderedWith & { server_id: string }, change: Change<T>) =>
    turns.run(order.server_id, () => outbox.transaction([order], change));

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
      return changeInTurn({ server_id: serverId }, async (transaction, emit) => {
        requireManageChannels(await requireMemberForChange(transaction, serverId, userId));
        requireBelowCap(caps.channels, await countChannels(transaction, serverId));
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
        const created = toChannel(row);
        // The channel has no id yet when keys are locked. Whoever writes events of it publishes those of its server first.
        const routing = { order_key: serverId };
        emit(createEvent("CHANNEL_CREATE", { server_id: serverId, channel_id: row.id }, created, routing));
        return created;
      });
    },

    async update(userId: string, address: ChannelAddress, { type, ...changes }: UpdateChannel): Promise<Channel> {
      const { serverId, channel: addressed } = await requireAddressed(userId, address);
      const target = { server_id: serverId, channel_id: addressed.id };
      return changeInTurn(target, async (transaction, emit) => {
        const access = await requireChannelForChange(transaction, addressed.id, userId);
        requireSameServer(access, address);
        requireManageChannels(access);
        const { channel } = access;
        if (type !== undefined && type !== channel.type) throw invalidInput(errorTexts.channel_type_fixed);
        const row = await updateChannel(transaction, channel.id, changes);
        const { name, topic, category, position } = row;
        const { slow_mode_seconds } = changes;
        const details = {
          name,
          topic,
          category,
          position,
          ...(slow_mode_seconds !== undefined && { slow_mode_seconds }),
        };
        await appendAudit(transaction, {
          serverId,
          actorId: userId,
          action: "channel_update",
          targetId: row.id,
          details,
        });
        const changed = toChannel(row);
        if (!isEmptyChange(changes)) {
          emit(createEvent("CHANNEL_UPDATE", target, changed));
        }
        return changed;
      });
    },

    async delete(userId: string, address: ChannelAddress): Promise<void> {
      const access = await requireAddressed(userId, address);
      requireManageChannels(access);
      const { id: targetId, server_id: serverId, name } = access.channel;
      const target = { server_id: serverId, channel_id: targetId };
      const remove = () =>
        changeInTurn(target, async (transaction, emit) => {
          requireManageChannels(await requireChannelForChange(transaction, targetId, userId));
          const routing = { view_rule: await findViewRule(transaction, targetId) };
          await deleteChannel(transaction, targetId);
          emit(createEvent("CHANNEL_DELETE", target, { id: targetId, server_id: serverId }, routing));
          const details = { name };
          await appendAudit(transaction, { serverId, actorId: userId, action: "channel_delete", targetId, details });
        });
      await withVoiceCleanup(logger, () => voice.clearChannel(targetId), remove);
    },
  };
}

type Change<T> = (transaction: Transaction, emit: Emit) => Promise<T>;

export type ChannelService = ReturnType<typeof createChannelService>;

/** @throws ServiceError 403 without MANAGE_CHANNELS */
function requireManageChannels(access: { permissions: number }): void {
  requirePermission(access, "MANAGE_CHANNELS", errorTexts.manage_channels_required);
}

/** @throws ServiceError 404 when the longer path names another server */
function requireSameServer(access: ChannelAccess, { server_id }: ChannelAddress): void {
  if (server_id !== undefined && server_id !== access.serverId) throw notFound(errorTexts.channel_not_found);
}
