import { createEvent, errorTexts, notFound } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { requireChannel } from "../../access/channel-access.js";
import { requirePermission } from "../../access/server-access.js";
import { listReads, messageChunkMax } from "../../platform/http/limits.js";
import { FairQueue } from "../../platform/load/fair-queue.js";
import type { Include } from "../core/schema.js";
import type { MessageDetails } from "../messages/details.js";
import { type ChannelMessageAddress, requireChannelMessage } from "../messages/require-message.js";
import { findPinned, listStart, type PinPlace, pinMessage, unpinMessage } from "./repository.js";

export function createPinService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  details: MessageDetails;
}) {
  const { database, outbox, details } = options;
  const queue = new FairQueue(listReads);

  const requirePinnable = async (userId: string, address: ChannelMessageAddress) => {
    const { row, access } = await requireChannelMessage(database, userId, address);
    requirePermission(access, "MANAGE_MESSAGES", errorTexts.manage_messages_required_to_pin);
    return row;
  };

  /** Repeats the check under the lock of the ordering key, as the right may have been lost while waiting for it. */
  const recheckPinnable = async (transaction: Transaction, userId: string, channelId: string) => {
    const access = await requireChannel(transaction, channelId, userId);
    requirePermission(access, "MANAGE_MESSAGES", errorTexts.manage_messages_required_to_pin);
  };

  return {
    /** The JSON texts of a channel's pinned messages, the latest pin first, in chunks. */
    async *list(userId: string, channelId: string, include: Include): AsyncGenerator<string[]> {
      await requireChannel(database, channelId, userId);
      for (let after: PinPlace | null = listStart; after !== null; ) {
        const place: PinPlace = after;
        const messages = await queue.run(userId, async () => {
          const rows = await findPinned(database, channelId, place);
          after = rows.length < messageChunkMax ? null : (rows.at(-1) ?? null);
          return details(rows, { viewerId: userId, include });
        });
        yield messages.map((message) => JSON.stringify(message));
      }
    },

    /** Pins a message; one that is pinned already stays as it is. */
    async pin(userId: string, address: ChannelMessageAddress): Promise<void> {
      const { id, channel_id, server_id } = await requirePinnable(userId, address);
      await outbox.transaction([{ server_id, channel_id }], async (transaction, emit) => {
        await recheckPinnable(transaction, userId, channel_id);
        const pinnedAt = await pinMessage(transaction, id, userId);
        if (pinnedAt === null) return;
        const payload = { message_id: id, channel_id, pinned_by: userId, pinned_at: pinnedAt.toISOString() };
        emit(createEvent("MESSAGE_PIN", { server_id, channel_id }, payload));
      });
    },

    async unpin(userId: string, address: ChannelMessageAddress): Promise<void> {
      const { id, channel_id, server_id } = await requirePinnable(userId, address);
      await outbox.transaction([{ server_id, channel_id }], async (transaction, emit) => {
        await recheckPinnable(transaction, userId, channel_id);
        if (!(await unpinMessage(transaction, id))) throw notFound(errorTexts.not_pinned);
        const payload = { message_id: id, channel_id, unpinned_by: userId };
        emit(createEvent("MESSAGE_UNPIN", { server_id, channel_id }, payload));
      });
    },
  };
}

export type PinService = ReturnType<typeof createPinService>;
