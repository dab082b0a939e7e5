import { caps, errorTexts, type FriendList, invalidInput, rateLimited } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { RedisConnection } from "@parley/redis";
import { requireBelowCap } from "../../access/caps.js";
import { requireNotBlocked } from "../../access/may-message.js";
import { createAttemptCounts } from "../../platform/load/attempt-counts.js";
import { findBotOwner, findLivingAccounts } from "../users/repository.js";
import { byName, toPublicProfile } from "../users/resource.js";
import { type ChangePair, emitFriendUpdate, type PairChange } from "./change-pair.js";
import { newRequestsMax, newRequestsWindowMs } from "./limits.js";
import {
  acceptRequest,
  countFriends,
  deleteFriend,
  findFriendState,
  findFriends,
  insertRequest,
} from "./repository.js";

export function createFriendService(options: { database: Database; redis: RedisConnection; changePair: ChangePair }) {
  const { database, redis, changePair } = options;
  const limits = [newRequestsMax];
  const counts = createAttemptCounts({ redis, name: "friend-request", limits, windowMs: newRequestsWindowMs });

  /** A request that is taken back counts, too: the other user was notified of it all the same. */
  const countRequest = async (userId: string) => {
    const accountId = (await findBotOwner(database, userId)) ?? userId;
    const counted = await counts.begin([`friend-request:${accountId}`]);
    if ("retryAfterSeconds" in counted)
      throw rateLimited("friend_requests", errorTexts.rate_limited, counted.retryAfterSeconds);
    return counted;
  };

  const ask = async (pair: PairChange) => {
    const { caller, other, transaction, emit } = pair;
    await requireNotBlocked(transaction, caller.id, other.id);
    requireBelowCap(caps.outgoingRequests, (await countFriends(transaction, caller.id)).outgoing);
    requireBelowCap(caps.incomingRequests, (await countFriends(transaction, other.id)).incoming);
    await insertRequest(transaction, caller.id, other.id);
    emitFriendUpdate(emit, pair, { caller: "outgoing", other: "incoming" });
  };

  const accept = async (pair: PairChange) => {
    const { caller, other, transaction, emit } = pair;
    for (const { id } of [caller, other]) requireBelowCap(caps.friends, (await countFriends(transaction, id)).friends);
    await acceptRequest(transaction, caller.id, other.id);
    emitFriendUpdate(emit, pair, { caller: "friends", other: "friends" });
  };

  /** If two requests cross, the second accepts the first. */
  const askOrAccept = async (pair: PairChange) => {
    const state = await findFriendState(pair.transaction, pair.caller.id, pair.other.id);
    if (state === "none") await ask(pair);
    if (state === "incoming") await accept(pair);
  };

  return {
    /** The caller's friends and the requests that wait, by name. */
    async list(userId: string): Promise<FriendList> {
      const rows = await findFriends(database, userId);
      const stateOf = new Map(rows.map(({ user_id, state }) => [user_id, state]));
      const accounts = await findLivingAccounts(database, [...stateOf.keys()]);
      const list: FriendList = { friends: [], incoming: [], outgoing: [] };
      for (const account of accounts.sort(byName)) {
        const state = stateOf.get(account.id);
        if (state !== undefined) list[state].push(toPublicProfile(account));
      }
      return list;
    },

    /** Asks somebody for friendship, or accepts their request. */
    async add(userId: string, otherId: string): Promise<void> {
      if (otherId === userId) throw invalidInput(errorTexts.cannot_befriend_yourself);
      const isNew = (await findFriendState(database, userId, otherId)) === "none";
      const counted = isNew ? await countRequest(userId) : null;
      try {
        await changePair(userId, otherId, askOrAccept);
      } catch (error) {
        // A refused request notifies nobody.
        await counted?.withdraw();
        throw error;
      }
    },

    /** Ends a friendship, refuses a request or takes one back. */
    async remove(userId: string, otherId: string): Promise<void> {
      await changePair(userId, otherId, async (pair) => {
        if (!(await deleteFriend(pair.transaction, userId, otherId))) return;
        emitFriendUpdate(pair.emit, pair, { caller: "none", other: "none" });
      });
    },
  };
}

export type FriendService = ReturnType<typeof createFriendService>;
