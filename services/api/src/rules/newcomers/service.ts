import { createEvent, errorTexts, notFound, type Safety, type ServerRules } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { InServer, MemberAccess } from "../../access/may.js";
import { mustAcceptRules } from "../../access/safety.js";
import { acceptRules, findRules, findSafety, updateSafety } from "./repository.js";
import type { UpdateSafety } from "./schema.js";

export function createSafetyService({ database }: { database: Database }) {
  return {
    get(serverId: string): Promise<Safety> {
      return findSafety(database, serverId);
    },

    update(may: InServer, changes: UpdateSafety): Promise<Safety> {
      return may.change(async ({ transaction, emit, access: { serverId }, audit }) => {
        const { rules, ...settings } = changes;
        const given = Object.entries(settings).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value] as const],
        );
        if (given.length === 0 && rules === undefined) return findSafety(transaction, serverId);
        const rulesChanged = await updateSafety(transaction, serverId, changes);
        const details = { ...Object.fromEntries(given), ...(rulesChanged ? { rules_changed: true } : {}) };
        await audit("server_safety_update", serverId, details);
        // Every member may read the rules and whether they are to accept them; the rest only some.
        const readers = rulesChanged || settings.rules_for_all !== undefined ? undefined : "manage_raids";
        const changed = { server_id: serverId, part: "moderation" } as const;
        emit(createEvent("SERVER_SETTINGS_UPDATE", { server_id: serverId }, changed, { readers }));
        return findSafety(transaction, serverId);
      });
    },

    /** The server's rules, and whether the caller may write as far as these are concerned. */
    async rules({ serverId, userId, permissions }: MemberAccess): Promise<ServerRules> {
      const found = await findRules(database, serverId, userId);
      if (found === undefined) throw notFound(errorTexts.server_not_found);
      const { rules, safety } = found;
      return { rules, accepted: !mustAcceptRules({ permissions, safety }) };
    },

    /** Accepts the rules as they are now; without any nothing happens. */
    async accept({ serverId, userId }: MemberAccess): Promise<void> {
      await acceptRules(database, serverId, userId);
    },
  };
}

export type SafetyService = ReturnType<typeof createSafetyService>;
