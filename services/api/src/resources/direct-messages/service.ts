import {
  createEvent,
  type DmChannel,
  type DmMessage,
  errorTexts,
  invalidInput,
  type MessageAuthor,
  notFound,
  rateLimited,
  type SentDmMessage,
  ServiceError,
} from "@parley/contracts";
import { isForeignKeyViolation } from "@parley/database";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import { lockAccount } from "../../access/caps.js";
import type { ChangeTurns } from "../../load/change-turns.js";
import { findNonceMessage, type NonceKey } from "../../nonces/repository.js";
import type { Sent } from "../../nonces/sent.js";
import { idPlaceholder, timePlaceholder } from "../messages/event-placeholders.js";
import type { DirectHistoryQuery } from "../messages/schema.js";
import { createMarkDirectRead } from "../read-states/repository.js";
import { findAccounts, findBotOwner, findLivingAccounts } from "../users/repository.js";
import type { OthersAccountRow } from "../users/resource.js";
import {
  createDmChannel,
  findDmAuthors,
  findDmChannel,
  findDmChannels,
  findDmMessage,
  findDmPage,
  findDmSendContext,
  findParticipants,
  insertDmMessage,
  waitForNewChannel,
} from "./repository.js";
import { toDmChannel, toDmMessage } from "./resource.js";
import type { ChannelsQuery, SendBody } from "./schema.js";

export function createDirectMessageService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  turns: ChangeTurns;
}) {
  const { database, outbox, turns } = options;
  const markRead = createMarkDirectRead(outbox);

  const requireParticipants = async (userId: string, channelId: string) => {
    const participants = await findParticipants(database, channelId, userId);
    if (participants === null) throw notFound(errorTexts.dm_channel_not_found);
    return participants;
  };

  const create = async (caller: OthersAccountRow, other: OthersAccountRow) => {
    const openedBy = (await findBotOwner(database, caller.id)) ?? caller.id;
    const insert = async (transaction: Transaction, emit: Emit) => {
      await lockAccount(transaction, openedBy);
      const row = await createDmChannel(transaction, { userId: caller.id, otherId: other.id, openedBy });
      if (row === null) return null;
      const wait = await waitForNewChannel(transaction, openedBy);
      if (wait !== null) throw rateLimited(errorTexts.too_many_conversations, wait);
      const routing = { order_key: row.id };
      emit(createEvent("DM_CHANNEL_CREATE", { user_id: caller.id }, toDmChannel(row, other), routing));
      emit(createEvent("DM_CHANNEL_CREATE", { user_id: other.id }, toDmChannel(row, caller), routing));
      return row;
    };
    return turns.run(openedBy, () => outbox.transaction([], insert));
  };

  /** @returns null when another message has the nonce */
  const store = async (
    draft: SentDmMessage,
    { participants, author }: { participants: readonly string[]; author: MessageAuthor },
  ): Promise<SentDmMessage | null> => {
    const { nonce, ...message } = draft;
    const payload = { ...message, author, nonce };
    const events = participants.map((user_id) => createEvent("DM_MESSAGE_CREATE", { user_id }, payload));
    try {
      return await outbox.write({ dm_channel_id: draft.channel_id }, async (session) => {
        const stored = await insertDmMessage(session, draft, events);
        if (stored === null) return { result: null, rows: [] };
        return { result: { ...draft, id: stored.id, created_at: stored.time }, rows: stored.rows };
      });
    } catch (error) {
      throw isForeignKeyViolation(error) ? notFound(errorTexts.dm_channel_not_found) : error;
    }
  };

  /** The message of an earlier request. */
  const findSent = async (key: NonceKey): Promise<SentDmMessage> => {
    const messageId = await findNonceMessage(database, key);
    const row = messageId === null ? null : await findDmMessage(database, messageId);
    // Messages go with their channel alone.
    if (row === null) throw notFound(errorTexts.dm_channel_not_found);
    return { ...toDmMessage(row), nonce: key.nonce ?? undefined };
  };

  return {
    /** Opens the channel with a user; there is one per pair. */
    async open(userId: string, otherId: string): Promise<{ channel: DmChannel; isNew: boolean }> {
      if (otherId === userId) throw invalidInput(errorTexts.dm_with_yourself);
      const accounts = await findLivingAccounts(database, [userId, otherId]);
      const caller = accounts.find(({ id }) => id === userId);
      const other = accounts.find(({ id }) => id === otherId);
      if (caller === undefined) throw new ServiceError("unauthenticated", errorTexts.invalid_token);
      if (other === undefined) throw notFound(errorTexts.user_not_found);
      const existing = await findDmChannel(database, userId, otherId);
      if (existing !== null) return { channel: toDmChannel(existing, other), isNew: false };
      try {
        const created = await create(caller, other);
        const row = created ?? (await findDmChannel(database, userId, otherId));
        if (row === null) throw notFound(errorTexts.user_not_found);
        return { channel: toDmChannel(row, other), isNew: created !== null };
      } catch (error) {
        throw isForeignKeyViolation(error) ? notFound(errorTexts.user_not_found) : error;
      }
    },

    /** A page of the caller's channels, the last used first, never-used ones at the end. */
    async listChannels(userId: string, page: ChannelsQuery): Promise<DmChannel[]> {
      const rows = await findDmChannels(database, userId, page);
      const recipients = await findAccounts(
        database,
        rows.map((row) => row.recipient_id),
      );
      const recipientById = new Map(recipients.map((recipient) => [recipient.id, recipient]));
      return rows.flatMap((row) => {
        const recipient = recipientById.get(row.recipient_id);
        // The account was deleted in between, and its channels with it.
        return recipient === undefined ? [] : [toDmChannel(row, recipient)];
      });
    },

    /** A page of a channel's history, newest first. */
    async listMessages(
      userId: string,
      channelId: string,
      { include, before, limit }: DirectHistoryQuery,
    ): Promise<DmMessage[]> {
      await requireParticipants(userId, channelId);
      const rows = await findDmPage(database, { channelId, before, limit });
      if (!include.includes("author")) return rows.map(toDmMessage);
      const authors = await findDmAuthors(database, rows);
      return rows.map((row) => ({ ...toDmMessage(row), author: authors.get(row.author_id ?? "") ?? null }));
    },

    /** Sends a message, unless the caller sent one with its nonce. */
    async send(userId: string, channelId: string, { content, nonce }: SendBody): Promise<Sent<SentDmMessage>> {
      const context = await findDmSendContext(database, channelId, userId);
      if (context === null) throw notFound(errorTexts.dm_channel_not_found);
      const draft: SentDmMessage = {
        id: idPlaceholder,
        channel_id: channelId,
        author_id: userId,
        content,
        edited_at: null,
        created_at: timePlaceholder,
        nonce: nonce ?? undefined,
      };
      const message = await store(draft, context);
      if (message !== null) return { message, isNew: true };
      return { message: await findSent({ authorId: userId, channelId, nonce }), isNew: false };
    },

    /** Moves the caller's last-read mark to now (docs/interface.md#7.8). */
    async acknowledge(userId: string, channelId: string): Promise<void> {
      await requireParticipants(userId, channelId);
      await markRead({ user_id: userId, channel_id: channelId });
    },
  };
}

export type DirectMessageService = ReturnType<typeof createDirectMessageService>;
