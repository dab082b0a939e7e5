import { createEvent, errorTexts, notFound } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { type InChannel, located } from "../../access/may.js";
import { permission } from "../../access/needs.js";
import type { ChannelAccess } from "../../access/repository.js";
import { listReads, messageChunkMax } from "../../platform/http/limits.js";
import { FairQueue } from "../../platform/load/fair-queue.js";
import type { Include } from "../core/schema.js";
import type { MessageDetails } from "../messages/details.js";
import type { MessageRow } from "../messages/repository.js";
import { channelMessage } from "../messages/require-message.js";
import { findPinned, listStart, type PinPlace, pinMessage, unpinMessage } from "./repository.js";

/** The right to pin a message and to unpin it. */
export const mayPin = located({
  ...channelMessage,
  needs: permission("MANAGE_MESSAGES", errorTexts.manage_messages_required_to_pin),
});

export function createPinService(options: { database: Database; details: MessageDetails }) {
  const { database, details } = options;
  const queue = new FairQueue(listReads);

  return {
    /** The JSON texts of a channel's pinned messages, the latest pin first, in chunks. */
    async *list({ channel, userId }: ChannelAccess, include: Include): AsyncGenerator<string[]> {
      for (let after: PinPlace | null = listStart; after !== null; ) {
        const place: PinPlace = after;
        const messages = await queue.run(userId, async () => {
          const rows = await findPinned(database, channel.id, place);
          after = rows.length < messageChunkMax ? null : (rows.at(-1) ?? null);
          return details(rows, { viewerId: userId, include });
        });
        yield messages.map((message) => JSON.stringify(message));
      }
    },

    /** Pins a message; one that is pinned already stays as it is. */
    pin(may: InChannel<MessageRow>): Promise<void> {
      return may.change(async ({ transaction, emit, access: { found, userId } }) => {
        const { id: message_id, channel_id, server_id } = found;
        const pinnedAt = await pinMessage(transaction, message_id, userId);
        if (pinnedAt === null) return;
        const payload = { message_id, channel_id, pinned_by: userId, pinned_at: pinnedAt.toISOString() };
        emit(createEvent("MESSAGE_PIN", { server_id, channel_id }, payload));
      });
    },

    unpin(may: InChannel<MessageRow>): Promise<void> {
      return may.change(async ({ transaction, emit, access: { found, userId } }) => {
        const { id: message_id, channel_id, server_id } = found;
        if (!(await unpinMessage(transaction, message_id))) throw notFound(errorTexts.not_pinned);
        emit(createEvent("MESSAGE_UNPIN", { server_id, channel_id }, { message_id, channel_id, unpinned_by: userId }));
      });
    },
  };
}

export type PinService = ReturnType<typeof createPinService>;
