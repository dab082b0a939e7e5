import { createEvent, errorTexts, forbidden, notFound, type Safety, type ServerRules } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import { hasRight } from "@parley/permissions";
import { appendAudit } from "../../access/audit-log/repository.js";
import { requireMemberForChange } from "../../access/change-lock.js";
import { mustAcceptRules } from "../../access/safety.js";
import { requireMember, requireOwner } from "../../access/server-access.js";
import type { ChangeTurns } from "../../platform/load/change-turns.js";
import { acceptRules, findRules, findSafety, updateSafety } from "./repository.js";
import type { UpdateSafety } from "./schema.js";

export function createSafetyService(options: { database: Database; outbox: Outbox<Transaction>; turns: ChangeTurns }) {
  const { database, outbox, turns } = options;
  return {
    async get(userId: string, serverId: string): Promise<Safety> {
      const { rights } = await requireMember(database, serverId, userId);
      if (!hasRight(rights, "manage_raids")) throw forbidden(errorTexts.missing_permission);
      return findSafety(database, serverId);
    },

    async update(userId: string, serverId: string, changes: UpdateSafety): Promise<Safety> {
      const change = async (transaction: Transaction, emit: Emit): Promise<Safety> => {
        requireOwner(await requireMemberForChange(transaction, serverId, userId), errorTexts.server_update_owner_only);
        const { rules, ...settings } = changes;
        const given = Object.entries(settings).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value] as const],
        );
        if (given.length === 0 && rules === undefined) return findSafety(transaction, serverId);
        const rulesChanged = await updateSafety(transaction, serverId, changes);
        await appendAudit(transaction, {
          serverId,
          actorId: userId,
          action: "server_safety_update",
          targetId: serverId,
          details: { ...Object.fromEntries(given), ...(rulesChanged ? { rules_changed: true } : {}) },
        });
        // Every member may read the rules and whether they are to accept them; the rest only some.
        const readers = rulesChanged || settings.rules_for_all !== undefined ? undefined : "manage_raids";
        const changed = { server_id: serverId, part: "moderation" } as const;
        emit(createEvent("SERVER_SETTINGS_UPDATE", { server_id: serverId }, changed, { readers }));
        return findSafety(transaction, serverId);
      };
      return turns.run(serverId, () => outbox.transaction([{ server_id: serverId }], change));
    },

    /** The server's rules, and whether the caller may write as far as these are concerned. */
    async rules(userId: string, serverId: string): Promise<ServerRules> {
      const { permissions } = await requireMember(database, serverId, userId);
      const found = await findRules(database, serverId, userId);
      if (found === undefined) throw notFound(errorTexts.server_not_found);
      const { rules, safety } = found;
      return { rules, accepted: !mustAcceptRules({ permissions, safety }) };
    },

    /** Accepts the rules as they are now; without any nothing happens. */
    async accept(userId: string, serverId: string): Promise<void> {
      await requireMember(database, serverId, userId);
      await acceptRules(database, serverId, userId);
    },
  };
}

export type SafetyService = ReturnType<typeof createSafetyService>;
