import type { AuditLogEntry, Channel, Role } from "@parley/client";

/** Names of the targets in a server's audit log, by id. */
export type AuditNames = ReadonlyMap<string, string>;

/** The present names of channels and roles; of deleted targets the last names in the log. */
export function auditNames(
  { channels, roles }: { channels: readonly Channel[]; roles: readonly Role[] },
  entries: readonly AuditLogEntry[],
): AuditNames {
  const names = new Map<string, string>();
  // The newest entry comes first, so names of older entries do not replace its name.
  for (const { target_type, target_id, details } of entries) {
    const name = target_type === "invite" ? details.code : details.name;
    if (target_id !== null && typeof name === "string" && !names.has(target_id)) names.set(target_id, name);
    const { role_id, role_name } = details;
    if (typeof role_id === "string" && typeof role_name === "string" && !names.has(role_id))
      names.set(role_id, role_name);
  }
  for (const { id, name } of [...channels, ...roles]) names.set(id, name);
  return names;
}
