import { createEvent, type DmChannel, type DmMessage, invalidInput, notFound, rateLimited } from "@parley/contracts";
import { type Database, isForeignKeyViolation } from "@parley/database";
import type { Outbox } from "@parley/outbox";
import { lockAccount } from "../access/caps.js";
import { idPlaceholder, timePlaceholder } from "../messages/event-placeholders.js";
import type { HistoryQuery } from "../messages/schema.js";
import { userErrors } from "../users/error-texts.js";
import { type AccountRow, accountColumns } from "../users/resource.js";
import { directMessageErrors } from "./error-texts.js";
import {
  createDmChannel,
  findDmChannel,
  findDmChannels,
  findDmPage,
  findParticipants,
  insertDmMessage,
  markDmRead,
  waitForNewChannel,
} from "./repository.js";
import { toDmChannel, toDmMessage } from "./resource.js";
import type { ChannelsQuery } from "./schema.js";

/** Text of the 429 for a user who opens too many new channels. */
export const tooManyConversations = "Too many new conversations";

export function createDirectMessageService(options: { database: Database; outbox: Outbox }) {
  const { database, outbox } = options;

  const requireParticipants = async (userId: string, channelId: string) => {
    const participants = await findParticipants(database, channelId, userId);
    if (participants === null) throw notFound(directMessageErrors.channelNotFound);
    return participants;
  };

  const create = (caller: AccountRow, other: AccountRow) =>
    outbox.transaction([], async (transaction, emit) => {
      const bot = await transaction.prisma.bot.findUnique({
        where: { user_id: caller.id },
        select: { created_by: true },
      });
      const openedBy = bot?.created_by ?? caller.id;
      await lockAccount(transaction, openedBy);
      const row = await createDmChannel(transaction, { userId: caller.id, otherId: other.id, openedBy });
      if (row === null) return null;
      const wait = await waitForNewChannel(transaction, openedBy);
      if (wait !== null) throw rateLimited(tooManyConversations, wait);
      const routing = { order_key: row.id };
      emit(createEvent("DM_CHANNEL_CREATE", { user_id: caller.id }, toDmChannel(row, other), routing));
      emit(createEvent("DM_CHANNEL_CREATE", { user_id: other.id }, toDmChannel(row, caller), routing));
      return row;
    });

  return {
    /** Opens the channel with a user; there is one per pair. */
    async open(userId: string, otherId: string): Promise<{ channel: DmChannel; isNew: boolean }> {
      if (otherId === userId) throw invalidInput(directMessageErrors.withYourself);
      const accounts = await database.prisma.user.findMany({
        where: { id: { in: [userId, otherId] } },
        select: accountColumns,
      });
      const caller = accounts.find(({ id }) => id === userId);
      const other = accounts.find(({ id }) => id === otherId);
      if (caller === undefined || other === undefined) throw notFound(userErrors.notFound);
      const existing = await findDmChannel(database, userId, otherId);
      if (existing !== null) return { channel: toDmChannel(existing, other), isNew: false };
      try {
        const created = await create(caller, other);
        const row = created ?? (await findDmChannel(database, userId, otherId));
        if (row === null) throw notFound(userErrors.notFound);
        return { channel: toDmChannel(row, other), isNew: created !== null };
      } catch (error) {
        throw isForeignKeyViolation(error) ? notFound(userErrors.notFound) : error;
      }
    },

    /** A page of the caller's channels, the last used first, never-used ones at the end. */
    async listChannels(userId: string, page: ChannelsQuery): Promise<DmChannel[]> {
      const rows = await findDmChannels(database, userId, page);
      const recipients = await database.prisma.user.findMany({
        where: { id: { in: rows.map((row) => row.recipient_id) } },
        select: accountColumns,
      });
      const recipientById = new Map(recipients.map((recipient) => [recipient.id, recipient]));
      return rows.flatMap((row) => {
        const recipient = recipientById.get(row.recipient_id);
        // The account was deleted in between, and its channels with it.
        return recipient === undefined ? [] : [toDmChannel(row, recipient)];
      });
    },

    /** A page of a channel's history, newest first. */
    async listMessages(userId: string, channelId: string, { before, limit }: HistoryQuery): Promise<DmMessage[]> {
      await requireParticipants(userId, channelId);
      return (await findDmPage(database, { channelId, before, limit })).map(toDmMessage);
    },

    async send(userId: string, channelId: string, content: string): Promise<DmMessage> {
      const participants = await requireParticipants(userId, channelId);
      const message: DmMessage = {
        id: idPlaceholder,
        channel_id: channelId,
        author_id: userId,
        content,
        edited_at: null,
        created_at: timePlaceholder,
      };
      const events = participants.map((user_id) => createEvent("DM_MESSAGE_CREATE", { user_id }, message));
      try {
        return await outbox.write({ dm_channel_id: channelId }, async (session) => {
          const { id, time, rows } = await insertDmMessage(session, message, events);
          return { result: { ...message, id, created_at: time }, rows };
        });
      } catch (error) {
        throw isForeignKeyViolation(error) ? notFound(directMessageErrors.channelNotFound) : error;
      }
    },

    /** Moves the caller's last-read mark to now (docs/interface.md#7.8). */
    async acknowledge(userId: string, channelId: string): Promise<void> {
      await requireParticipants(userId, channelId);
      await markDmRead(database, channelId, userId);
    },
  };
}

export type DirectMessageService = ReturnType<typeof createDirectMessageService>;
