import { type BlockList, caps, createEvent, errorTexts, invalidInput } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { requireBelowCap } from "../../access/caps.js";
import { type ChangePair, emitFriendUpdate, type PairChange } from "../friends/change-pair.js";
import { deleteFriend } from "../friends/repository.js";
import { findLivingAccounts } from "../users/repository.js";
import { byName, toPublicProfile } from "../users/resource.js";
import { countBlocks, deleteBlock, findBlocked, hasBlocked, insertBlock } from "./repository.js";

export function createBlockService({ database, changePair }: { database: Database; changePair: ChangePair }) {
  /** To the blocker alone: the blocked user gets no notice. */
  const notifyBlocker = ({ caller, other, emit }: PairChange, blocked: boolean) =>
    emit(createEvent("BLOCK_UPDATE", { user_id: caller.id }, { user: toPublicProfile(other), blocked }));

  return {
    /** Whom the caller has blocked, by name. */
    async list(userId: string): Promise<BlockList> {
      const accounts = await findLivingAccounts(database, await findBlocked(database, userId));
      return { blocks: accounts.sort(byName).map(toPublicProfile) };
    },

    /** Blocks somebody, which ends friendship and requests. */
    async add(userId: string, otherId: string): Promise<void> {
      if (otherId === userId) throw invalidInput(errorTexts.cannot_block_yourself);
      await changePair(userId, otherId, async (pair) => {
        const { transaction, emit } = pair;
        if (await hasBlocked(transaction, userId, otherId)) return;
        requireBelowCap(caps.blocks, await countBlocks(transaction, userId));
        await insertBlock(transaction, userId, otherId);
        if (await deleteFriend(transaction, userId, otherId))
          emitFriendUpdate(emit, pair, { caller: "none", other: "none" });
        notifyBlocker(pair, true);
      });
    },

    /** Takes a block back. */
    async remove(userId: string, otherId: string): Promise<void> {
      await changePair(userId, otherId, async (pair) => {
        if (await deleteBlock(pair.transaction, userId, otherId)) notifyBlocker(pair, false);
      });
    },
  };
}

export type BlockService = ReturnType<typeof createBlockService>;
