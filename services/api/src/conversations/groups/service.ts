import {
  caps,
  errorTexts,
  type GroupChannel,
  groupPeopleMax,
  invalidInput,
  notFound,
  rateLimited,
} from "@parley/contracts";
import { isForeignKeyViolation } from "@parley/database";
import type { Transaction } from "@parley/database/prisma";
import type { Emit } from "@parley/outbox";
import type { CallerRight } from "../../access/asked.js";
import { lockAccount, requireBelowCap } from "../../access/caps.js";
import { requireMayMessage } from "../../access/may-message.js";
import { lockExistingAccount } from "../../access/repository.js";
import { findAccounts, findBotOwner, findLivingAccounts } from "../../people/users/repository.js";
import type { Stores } from "../../platform/http/may.js";
import { waitForNewChannel } from "../direct-messages/repository.js";
import { type GroupRow, toGroupChannel } from "../direct-messages/resource.js";
import { addInvites } from "../inbox/repository.js";
import { emitGroup } from "./announce.js";
import { leaveGroup } from "./leave.js";
import type { InGroup } from "./may.js";
import { addToGroup, countGroups, insertGroup, updateGroup } from "./repository.js";

export function createGroupService({ database, outbox, turns }: Stores) {
  const view = async (transaction: Transaction, group: GroupRow, userId: string): Promise<GroupChannel> => {
    const channel = toGroupChannel(group, await findAccounts(transaction, group.members), userId);
    if (channel === null) throw notFound(errorTexts.dm_channel_not_found);
    return channel;
  };

  const insert = async (
    { transaction, emit }: { transaction: Transaction; emit: Emit },
    fields: { name: string | null; openedBy: string; members: readonly string[] },
  ): Promise<GroupRow> => {
    const { openedBy, members } = fields;
    // One order for all, so that two groups of the same people do not wait for each other for ever.
    for (const id of new Set([openedBy, ...members].toSorted()))
      await requireCapacity(transaction, id, openedBy, members);
    const group = await insertGroup(transaction, fields);
    const wait = await waitForNewChannel(transaction, openedBy);
    if (wait !== null) throw rateLimited("new_conversations", errorTexts.too_many_conversations, wait);
    await emitGroup({ transaction, emit }, group, members);
    const [creatorId = openedBy, ...invited] = members;
    await addInvites(transaction, { userIds: invited, channelId: group.id, byId: creatorId });
    return group;
  };

  return {
    /** Opens a group of the caller, who owns it, with others. */
    async create(userId: string, others: readonly string[], name: string | null): Promise<GroupChannel> {
      if (others.includes(userId)) throw invalidInput(errorTexts.dm_with_yourself);
      if ((await findLivingAccounts(database, [...others])).length < others.length)
        throw notFound(errorTexts.user_not_found);
      await requireMayMessage(database, userId, others);
      const openedBy = (await findBotOwner(database, userId)) ?? userId;
      const fields = { name, openedBy, members: [userId, ...others] };
      const open = async (transaction: Transaction, emit: Emit) =>
        view(transaction, await insert({ transaction, emit }, fields), userId);
      return orUserNotFound(turns.run(openedBy, () => outbox.transaction([], open)));
    },

    /** Names the group, or takes its name. */
    rename(may: CallerRight<InGroup>, name: string | null | undefined): Promise<GroupChannel> {
      return may.change(async ({ transaction, emit, access: { userId, group } }) => {
        const renamed = { ...group, name: name === undefined ? group.name : name };
        if (renamed.name !== group.name) {
          await updateGroup(transaction, group.id, { name: renamed.name });
          await emitGroup({ transaction, emit }, renamed);
        }
        return view(transaction, renamed, userId);
      });
    },

    /**
     * Sets or removes the picture of a group.
     *
     * @param keep does further work in the transaction of another picture
     */
    setIcon(
      may: CallerRight<InGroup>,
      icon_url: string | null,
      keep?: (transaction: Transaction) => Promise<void>,
    ): Promise<GroupChannel> {
      return may.change(async ({ transaction, emit, access: { userId, group } }) => {
        await keep?.(transaction);
        const changed = { ...group, icon_url };
        if (icon_url !== group.icon_url) {
          await updateGroup(transaction, group.id, { icon_url });
          await emitGroup({ transaction, emit }, changed);
        }
        return view(transaction, changed, userId);
      });
    },

    /** Adds a user; for a present member nothing changes. */
    async add(may: CallerRight<InGroup>, user_id: string): Promise<void> {
      await may.access();
      if ((await findLivingAccounts(database, [user_id])).length === 0) throw notFound(errorTexts.user_not_found);
      const add = may.change(async ({ transaction, emit, access: { userId, group } }) => {
        if (group.members.includes(user_id)) return;
        await requireMayMessage(transaction, userId, [user_id]);
        if (group.members.length >= groupPeopleMax) throw invalidInput(errorTexts.group_full(groupPeopleMax));
        await requireCapacity(transaction, user_id, userId, [user_id]);
        await addToGroup(transaction, group.id, user_id);
        await addInvites(transaction, { userIds: [user_id], channelId: group.id, byId: userId });
        await emitGroup({ transaction, emit }, { ...group, members: [...group.members, user_id] }, [user_id]);
      });
      return orUserNotFound(add);
    },

    /** Removes a member from the group. */
    remove: (may: CallerRight<InGroup>, userId: string): Promise<void> =>
      may.change(({ transaction, emit, access }) => leaveGroup({ transaction, emit }, access.group, userId)),
  };
}

export type GroupService = ReturnType<typeof createGroupService>;

/**
 * Locks an account and sees to it that one more group is within its number.
 *
 * @param callerId whose deletion is 401; that of others is 404
 * @param members who come into the group: others are locked only
 */
async function requireCapacity(
  transaction: Transaction,
  accountId: string,
  callerId: string,
  members: readonly string[],
): Promise<void> {
  if (accountId === callerId) await lockAccount(transaction, accountId);
  else if (!(await lockExistingAccount(transaction, accountId))) throw notFound(errorTexts.user_not_found);
  if (members.includes(accountId)) requireBelowCap(caps.groups, await countGroups(transaction, accountId));
}

/** An account that is deleted at the same time is not there. */
async function orUserNotFound<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isForeignKeyViolation(error) ? notFound(errorTexts.user_not_found) : error;
  }
}
