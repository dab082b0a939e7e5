import {
  type AnyDmChannel,
  createEvent,
  type DmChannel,
  errorTexts,
  invalidInput,
  notFound,
  rateLimited,
  ServiceError,
} from "@parley/contracts";
import { isForeignKeyViolation } from "@parley/database";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import { lockAccount } from "../../access/caps.js";
import { requireMayMessage } from "../../access/may-message.js";
import { findAccounts, findBotOwner, findLivingAccounts } from "../../people/users/repository.js";
import type { OthersAccountRow } from "../../people/users/resource.js";
import type { ChangeTurns } from "../../platform/load/change-turns.js";
import { findGroups } from "./participants-repository.js";
import { createDmChannel, findDmChannel, findDmChannels, waitForNewChannel } from "./repository.js";
import { toDmChannel, toGroupChannel } from "./resource.js";
import type { ChannelsQuery } from "./schema.js";

export function createDirectChannels(options: { database: Database; outbox: Outbox<Transaction>; turns: ChangeTurns }) {
  const { database, outbox, turns } = options;

  const create = async (caller: OthersAccountRow, other: OthersAccountRow) => {
    const openedBy = (await findBotOwner(database, caller.id)) ?? caller.id;
    const insert = async (transaction: Transaction, emit: Emit) => {
      await lockAccount(transaction, openedBy);
      const row = await createDmChannel(transaction, { userId: caller.id, otherId: other.id, openedBy });
      if (row === null) return null;
      const wait = await waitForNewChannel(transaction, openedBy);
      if (wait !== null) throw rateLimited("new_conversations", errorTexts.too_many_conversations, wait);
      const routing = { order_key: row.id };
      emit(createEvent("DM_CHANNEL_CREATE", { user_id: caller.id }, toDmChannel(row, other), routing));
      emit(createEvent("DM_CHANNEL_CREATE", { user_id: other.id }, toDmChannel(row, caller), routing));
      return row;
    };
    return turns.run(openedBy, () => outbox.transaction([], insert));
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
      // Its history stays readable; the api refuses new messages there.
      if (existing !== null) return { channel: toDmChannel(existing, other), isNew: false };
      await requireMayMessage(database, userId, [otherId]);
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
    async list(userId: string, page: ChannelsQuery): Promise<AnyDmChannel[]> {
      const rows = await findDmChannels(database, userId, page);
      const groupIds = rows.filter(({ recipient_id }) => recipient_id === null).map(({ id }) => id);
      const groups = groupIds.length === 0 ? [] : await findGroups(database, groupIds);
      const peopleIds = [...rows.map((row) => row.recipient_id), ...groups.flatMap(({ members }) => members)];
      const people = await findAccounts(database, [...new Set(peopleIds.filter((id) => id !== null))]);
      const personById = new Map(people.map((person) => [person.id, person]));
      const groupById = new Map(groups.map((group) => [group.id, group]));
      return rows.flatMap((row): AnyDmChannel[] => {
        const recipient = personById.get(row.recipient_id ?? "");
        if (recipient !== undefined) return [toDmChannel(row, recipient)];
        const group = groupById.get(row.id);
        const accounts = group?.members.flatMap((id) => personById.get(id) ?? []) ?? [];
        const channel = group === undefined ? null : toGroupChannel(group, accounts, userId);
        // The account was deleted in between, and its channels with it; or the user has left the group.
        return channel === null ? [] : [channel];
      });
    },
  };
}

export type DirectChannels = ReturnType<typeof createDirectChannels>;
