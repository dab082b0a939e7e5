import type { AuditLogEntry, Channel, Role } from "@parley/client";

/** Names by id, of what the log of a server mentions. */
export type AuditNames = ReadonlyMap<string, string>;

/** What the server has now under the names of now; what is gone under the last name that the log itself mentions. */
export function auditNames(
  { channels, roles }: { channels: readonly Channel[]; roles: readonly Role[] },
  entries: readonly AuditLogEntry[],
): AuditNames {
  const names = new Map<string, string>();
  // The newest entry is the first, so older names do not replace its.
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
