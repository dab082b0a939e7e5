import {
  caps,
  errorTexts,
  forbidden,
  type GroupChannel,
  groupPeopleMax,
  invalidInput,
  notFound,
  rateLimited,
} from "@parley/contracts";
import { isForeignKeyViolation } from "@parley/database";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import { lockAccount, requireBelowCap } from "../../access/caps.js";
import { requireMayMessage } from "../../access/may-message.js";
import { lockExistingAccount } from "../../access/repository.js";
import { findAccounts, findBotOwner, findLivingAccounts } from "../../people/users/repository.js";
import type { ChangeTurns } from "../../platform/load/change-turns.js";
import { findGroups } from "../direct-messages/participants-repository.js";
import { waitForNewChannel } from "../direct-messages/repository.js";
import { type GroupRow, ownerOf, toGroupChannel } from "../direct-messages/resource.js";
import { type ChangeGroup, emitGroup, requireInGroup } from "./change.js";
import { leaveGroup } from "./leave.js";
import { addToGroup, countGroups, insertGroup, updateGroup } from "./repository.js";

/** A person in a group. */
interface Recipient {
  id: string;
  user_id: string;
}

export function createGroupService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  turns: ChangeTurns;
  change: ChangeGroup;
}) {
  const { database, outbox, turns, change } = options;

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
    async rename(userId: string, id: string, name: string | null | undefined): Promise<GroupChannel> {
      return change(id, userId, async ({ transaction, emit, group }) => {
        const renamed = { ...group, name: name === undefined ? group.name : name };
        if (renamed.name !== group.name) {
          await updateGroup(transaction, id, { name: renamed.name });
          await emitGroup({ transaction, emit }, renamed);
        }
        return view(transaction, renamed, userId);
      });
    },

    /** @throws ServiceError 404 and 400 as {@link requireInGroup}, 403 for others than the owner */
    async requireOwner(userId: string, id: string): Promise<void> {
      await requireInGroup(database, id, userId);
      const [group] = await findGroups(database, [id]);
      if (group !== undefined) requireOwner(group, userId, errorTexts.group_icon_owner_only);
    },

    /**
     * Sets or removes the picture of a group.
     *
     * @param keep does what belongs to the transaction of another picture
     */
    async setIcon(
      userId: string,
      id: string,
      icon_url: string | null,
      keep?: (transaction: Transaction) => Promise<void>,
    ): Promise<GroupChannel> {
      return change(id, userId, async ({ transaction, emit, group }) => {
        requireOwner(group, userId, errorTexts.group_icon_owner_only);
        await keep?.(transaction);
        const changed = { ...group, icon_url };
        if (icon_url !== group.icon_url) {
          await updateGroup(transaction, id, { icon_url });
          await emitGroup({ transaction, emit }, changed);
        }
        return view(transaction, changed, userId);
      });
    },

    /** Adds somebody; who is in it already stays. */
    async add(userId: string, { id, user_id }: Recipient): Promise<void> {
      await requireInGroup(database, id, userId);
      if ((await findLivingAccounts(database, [user_id])).length === 0) throw notFound(errorTexts.user_not_found);
      const add = change(id, userId, async ({ transaction, emit, group }) => {
        if (group.members.includes(user_id)) return;
        await requireMayMessage(transaction, userId, [user_id]);
        if (group.members.length >= groupPeopleMax) throw invalidInput(errorTexts.group_full(groupPeopleMax));
        await requireCapacity(transaction, user_id, userId, [user_id]);
        await addToGroup(transaction, id, user_id);
        await emitGroup({ transaction, emit }, { ...group, members: [...group.members, user_id] }, [user_id]);
      });
      return orUserNotFound(add);
    },

    /** Takes somebody out of the group: oneself, or as its owner anybody. */
    async remove(userId: string, { id, user_id }: Recipient): Promise<void> {
      return change(id, userId, async (running) => {
        const { group } = running;
        if (!group.members.includes(user_id)) throw notFound(errorTexts.dm_recipient_not_found);
        if (user_id !== userId) requireOwner(group, userId, errorTexts.group_remove_owner_only);
        await leaveGroup(running, user_id);
      });
    },
  };
}

export type GroupService = ReturnType<typeof createGroupService>;

/** @throws ServiceError 403 for others than the owner */
function requireOwner(group: GroupRow, userId: string, refusal: string): void {
  if (ownerOf(group) !== userId) throw forbidden(refusal);
}

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
