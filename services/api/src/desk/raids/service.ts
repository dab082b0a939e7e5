import type { BulkBan, Raid, RaidEnd } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { InServer } from "../../access/may.js";
import { banishableStart, findBanishable, findRaid } from "../../rules/raids/repository.js";
import { endRaidByHand, setRaidByHand } from "../../rules/raids/state.js";
import { type BansBody, bannedUsersMax } from "../moderation/schema.js";
import type { ModerationService } from "../moderation/service.js";

export function createRaidService(options: { database: Database; banMany: ModerationService["banMany"] }) {
  const { database, banMany } = options;
  return {
    async get(serverId: string): Promise<Raid> {
      const { until, joined } = await findRaid(database, serverId);
      return { until: until?.toISOString() ?? null, joined };
    },

    /** Puts the server under raid until so many minutes from now. */
    set(may: InServer, minutes: number): Promise<RaidEnd> {
      return may.change(async ({ transaction, emit, access: { serverId, userId: actorId } }) => {
        const until = await setRaidByHand(transaction, emit, { serverId, actorId, minutes });
        return { until: until.toISOString() };
      });
    },

    /** Succeeds also when the server is not under raid. */
    end(may: InServer): Promise<void> {
      return may.change(({ transaction, emit, access: { serverId, userId: actorId } }) =>
        endRaidByHand(transaction, emit, { serverId, actorId }),
      );
    },

    /** Bans those who joined during the latest raid, as many at a time as one request may name. */
    async ban(may: InServer, body: BansBody): Promise<BulkBan> {
      const { serverId, userId } = await may.access();
      const result: BulkBan = { banned: [], failed: [] };
      for (let after: string | undefined = banishableStart; after !== undefined; ) {
        const user_ids = await findBanishable(database, { serverId, userId, after, limit: bannedUsersMax });
        const { banned, failed } = await banMany(may, { ...body, user_ids });
        result.banned.push(...banned);
        result.failed.push(...failed);
        after = user_ids.length < bannedUsersMax ? undefined : user_ids.at(-1);
      }
      return result;
    },
  };
}

export type RaidService = ReturnType<typeof createRaidService>;
