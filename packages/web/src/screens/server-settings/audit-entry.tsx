import type { AuditLogEntry } from "@parley/client";
import type { ReactNode } from "react";
import { texts } from "../../texts/texts.js";
import { phrasesOf, textOf } from "../logs/details.js";
import { LogRow } from "../logs/log-row.js";
import { UserName } from "../profile/user-name.js";
import type { AuditNames } from "./audit-names.js";

/** An entry of the audit log with names in place of ids. */
export function AuditEntry({ entry, names }: { entry: AuditLogEntry; names: AuditNames }) {
  const { action, actor_id, created_at, target_type, details } = entry;
  // The title of an entry has the name of its target, unless that is the server.
  const skipped = target_type === "server" ? [] : target_type === "invite" ? ["code"] : ["name"];
  return (
    <LogRow
      action={textOf(texts.auditLog.actions, action)}
      target={targetOf(entry, names)}
      actorId={actor_id}
      time={created_at}
      phrases={[...overriddenFor(details, names), ...owners(details), ...phrasesOf(details, skipped)]}
    />
  );
}

function targetOf({ target_type, target_id, details }: AuditLogEntry, names: AuditNames): ReactNode | null {
  const { gone } = texts.auditLog;
  switch (target_type) {
    case "user":
      return <UserName userId={target_id} />;
    case "channel":
      return <Named id={target_id} name={details.name} names={names} fallback={gone.channel} mark="#" />;
    case "role":
      return <Named id={target_id} name={details.name} names={names} fallback={gone.role} />;
    case "invite":
      return <Named id={target_id} name={details.code} names={names} fallback={gone.invite} />;
    default:
      return null;
  }
}

/** The role or member of a changed channel override. */
function overriddenFor({ role_id, user_id, role_name }: AuditLogEntry["details"], names: AuditNames): ReactNode[] {
  const label = `${texts.auditLog.for}: `;
  if (typeof user_id === "string") return [[label, <UserName key={user_id} userId={user_id} />]];
  if (typeof role_id !== "string" || typeof role_name === "string") return [];
  return [[label, <Named key={role_id} id={role_id} names={names} fallback={texts.auditLog.gone.role} />]];
}

/** The former and the new owner of the server. */
function owners({ from, to }: AuditLogEntry["details"]): ReactNode[] {
  if (typeof from !== "string" || typeof to !== "string") return [];
  return [
    [`${texts.auditLog.from}: `, <UserName key={from} userId={from} />],
    [`${texts.auditLog.to}: `, <UserName key={to} userId={to} />],
  ];
}

/** The name from the entry or from `names`; without one the fallback, with the id as tooltip. */
function Named({
  id,
  name,
  names,
  fallback,
  mark = "",
}: {
  id: string | null;
  name?: unknown;
  names: AuditNames;
  fallback: string;
  mark?: string;
}) {
  const known = typeof name === "string" ? name : names.get(id ?? "");
  if (known === undefined) return <span title={id ?? undefined}>{fallback}</span>;
  return (
    <bdi>
      {mark}
      {known}
    </bdi>
  );
}
