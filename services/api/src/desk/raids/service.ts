import { type BulkBan, errorTexts, forbidden, type Raid, type RaidEnd } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { hasRight } from "@parley/permissions";
import { requireMemberForChange } from "../../access/change-lock.js";
import { requireMember, requirePermission } from "../../access/server-access.js";
import type { ChangeTurns } from "../../platform/load/change-turns.js";
import { banishableStart, findBanishable, findRaid } from "../../rules/raids/repository.js";
import { endRaidByHand, setRaidByHand } from "../../rules/raids/state.js";
import { type BansBody, bannedUsersMax } from "../moderation/schema.js";
import type { ModerationService } from "../moderation/service.js";

export function createRaidService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  turns: ChangeTurns;
  banMany: ModerationService["banMany"];
}) {
  const { database, outbox, turns, banMany } = options;
  return {
    async get(userId: string, serverId: string): Promise<Raid> {
      requireManageRaids(await requireMember(database, serverId, userId));
      const { until, joined } = await findRaid(database, serverId);
      return { until: until?.toISOString() ?? null, joined };
    },

    /** Has the server be under raid until so many minutes from now. */
    set(actorId: string, serverId: string, minutes: number): Promise<RaidEnd> {
      return turns.run(serverId, () =>
        outbox.transaction([{ server_id: serverId }], async (transaction, emit) => {
          requireManageRaids(await requireMemberForChange(transaction, serverId, actorId));
          const until = await setRaidByHand(transaction, emit, { serverId, actorId, minutes });
          return { until: until.toISOString() };
        }),
      );
    },

    /** Succeeds also when the server is not under raid. */
    end(actorId: string, serverId: string): Promise<void> {
      return turns.run(serverId, () =>
        outbox.transaction([{ server_id: serverId }], async (transaction, emit) => {
          requireManageRaids(await requireMemberForChange(transaction, serverId, actorId));
          await endRaidByHand(transaction, emit, { serverId, actorId });
        }),
      );
    },

    /** Bans those who joined during the latest raid, as many at a time as one request may name. */
    async ban(userId: string, serverId: string, body: BansBody): Promise<BulkBan> {
      requirePermission(await requireMember(database, serverId, userId), "BAN_MEMBERS", errorTexts.missing_permission);
      const result: BulkBan = { banned: [], failed: [] };
      for (let after: string | undefined = banishableStart; after !== undefined; ) {
        const user_ids = await findBanishable(database, { serverId, userId, after, limit: bannedUsersMax });
        const { banned, failed } = await banMany(userId, serverId, { ...body, user_ids });
        result.banned.push(...banned);
        result.failed.push(...failed);
        after = user_ids.length < bannedUsersMax ? undefined : user_ids.at(-1);
      }
      return result;
    },
  };
}

export type RaidService = ReturnType<typeof createRaidService>;

function requireManageRaids({ rights }: { rights: number }): void {
  if (!hasRight(rights, "manage_raids")) throw forbidden(errorTexts.missing_permission);
}
