import { type Channel, caps, errorTexts, invalidInput, notFound } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Logger } from "@parley/service-runtime";
import type { Voice } from "@parley/voice";
import { requireBelow } from "../../access/caps.js";
import { requireChannelForChange, requireMemberForChange } from "../../access/change-lock.js";
import { requireView } from "../../access/channel-access.js";
import {
  type ChannelAccess,
  channelColumns,
  channelRow,
  findChannelAccess,
  findViewableChannels,
} from "../../access/repository.js";
import { requireMember, requirePermission } from "../../access/server-access.js";
import type { ChangeTurns } from "../../load/change-turns.js";
import { appendAudit } from "../audit-log/append.js";
import { clearAround } from "../voice/clear-around.js";
import { toChannel } from "./resource.js";
import type { CreateChannel, UpdateChannel } from "./schema.js";

/** A channel by its id; the longer path names its server too, and a mismatch is 404 (docs/interface.md#1.1). */
export interface ChannelAddress {
  id: string;
  server_id?: string | undefined;
}

const createStatement = defineStatement({
  name: "channel_create",
  text: `INSERT INTO channels AS c (server_id, name, type, topic, category, position)
    VALUES ($1, $2, $3, $4, $5, (SELECT coalesce(max(least(position, 2147483646)) + 1, 0) FROM channels WHERE server_id = $1))
    RETURNING ${channelColumns}`,
  row: channelRow,
});

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

    async create(
      userId: string,
      serverId: string,
      { name, type = "text", topic = null, category = null }: CreateChannel,
    ): Promise<Channel> {
      requireManageChannels(await requireMember(database, serverId, userId));
      return changeInTurn(serverId, async (transaction) => {
        requireManageChannels(await requireMemberForChange(transaction, serverId, userId));
        const { max } = caps.channels;
        requireBelow(
          caps.channels,
          await transaction.prisma.channel.count({ where: { server_id: serverId }, take: max }),
        );
        const [row] = await transaction.query(createStatement, [serverId, name, type, topic, category]);
        if (row === undefined) throw notFound(errorTexts.server_not_found);
        await audit(transaction, { userId, row, action: "channel_create", details: { name, type } });
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
        const row = await transaction.prisma.channel.update({ where: { id: channel.id }, data: changes });
        const { name, topic, category, position } = row;
        await audit(transaction, {
          userId,
          row,
          action: "channel_update",
          details: { name, topic, category, position },
        });
        return toChannel(row);
      });
    },

    async delete(userId: string, address: ChannelAddress): Promise<void> {
      const access = await requireAddressed(userId, address);
      requireManageChannels(access);
      const { channel } = access;
      const remove = () =>
        changeInTurn(channel.server_id, async (transaction) => {
          requireManageChannels(await requireChannelForChange(transaction, channel.id, userId));
          await transaction.prisma.channel.delete({ where: { id: channel.id }, select: { id: true } });
          await audit(transaction, { userId, row: channel, action: "channel_delete", details: { name: channel.name } });
        });
      await clearAround(logger, () => voice.clearChannel(channel.id), remove);
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

function audit(
  transaction: Transaction,
  entry: {
    userId: string;
    row: { id: string; server_id: string };
    action: "channel_create" | "channel_update" | "channel_delete";
    details: Record<string, string | number | null>;
  },
): Promise<void> {
  return appendAudit(transaction, {
    serverId: entry.row.server_id,
    actorId: entry.userId,
    action: entry.action,
    targetId: entry.row.id,
    details: entry.details,
  });
}
