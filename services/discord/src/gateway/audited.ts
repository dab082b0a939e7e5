import type { AuditAction, ClientEventName, EventPayload } from "@parley/contracts";
import { toAuditLogEntry } from "../objects/audit-log.js";
import { auditKey } from "./lookups.js";
import { guildIdOf } from "./needs.js";
import type { Of } from "./translation-of.js";

type Audited = { readonly server_id: string };

/** The same, followed by the entry of the change in the server's log. */
export function audited<Name extends ClientEventName>(
  action: AuditAction,
  targetOf: (d: EventPayload<Name>) => string,
  translation: Omit<Of<Name>, "becomes" | "make"> & Partial<Pick<Of<Name>, "becomes" | "make">>,
): Of<Name> {
  const changeOf = (d: EventPayload<Name>) => ({
    server_id: (d as EventPayload<Name> & Audited).server_id,
    action,
    target_id: targetOf(d),
  });
  return {
    ...translation,
    becomes: [...(translation.becomes ?? []), "GUILD_AUDIT_LOG_ENTRY_CREATE"],
    needs: (event, needs) => {
      translation.needs?.(event, needs);
      needs.audits.push(changeOf(event.d));
    },
    make: (event, found, reader) => {
      const made = translation.make?.(event, found, reader) ?? [];
      const change = changeOf(event.d);
      const entry = found.it.audits.get(auditKey(change));
      const shown = entry === undefined ? null : toAuditLogEntry(entry);
      if (shown === null) return made;
      return [...made, { t: "GUILD_AUDIT_LOG_ENTRY_CREATE", d: { ...shown, ...guildIdOf(change.server_id) } }];
    },
  };
}
