import type { AuditLogEntry } from "@parley/client";
import { useCallback, useState } from "react";
import { useSession } from "../../session/session.js";
import { UserName } from "../../session/user-name.js";
import { texts } from "../../texts/texts.js";
import { AsyncRows } from "../../ui/async-rows.js";
import { Choice } from "../../ui/field.js";
import { Row } from "../../ui/rows.js";
import { showTime } from "../../ui/show.js";
import { useAction } from "../../ui/use-action.js";
import { useData } from "../../ui/use-data.js";
import type { ServerSectionProps } from "./section-props.js";

const pageSize = 50;

/** The actions of docs/interface.md#10.4. */
const actions = [
  "member_kick",
  "member_ban",
  "member_unban",
  "member_timeout",
  "member_timeout_remove",
  "member_role_add",
  "member_role_remove",
  "server_create",
  "server_update",
  "channel_create",
  "channel_update",
  "channel_delete",
  "channel_override_update",
  "channel_override_delete",
  "role_create",
  "role_update",
  "role_delete",
  "invite_create",
  "invite_revoke",
];

/** Who changed what in the server, newest first. */
export function AuditLogSection({ server }: ServerSectionProps) {
  const { client } = useSession();
  const names = texts.serverSettings.audit;
  const [action, setAction] = useState("");
  const read = useCallback(
    (signal?: AbortSignal, before?: string) =>
      client.auditLog.list(
        server.id,
        { limit: pageSize, ...(action === "" ? {} : { action }), ...(before === undefined ? {} : { before }) },
        signal === undefined ? {} : { signal },
      ),
    [client, server.id, action],
  );
  const log = useData(read);
  const older = useAction(async (last: AuditLogEntry) => {
    const page = await read(undefined, last.id);
    log.set((entries) => [...entries, ...page]);
  });
  return (
    <>
      <Choice label={names.action} value={action} onChange={(event) => setAction(event.currentTarget.value)}>
        <option value="">{names.all}</option>
        {actions.map((name) => (
          <option key={name} value={name}>
            {nameOf(name)}
          </option>
        ))}
      </Choice>
      <AsyncRows
        data={log}
        label={names.title}
        empty={names.none}
        more={{ label: names.older, pageSize, action: older }}
      >
        {(entry) => (
          <Row
            key={entry.id}
            title={
              <>
                {nameOf(entry.action)}
                {entry.target_type === "user" ? <UserName userId={entry.target_id} fallback={names.nobody} /> : null}
              </>
            }
            detail={
              <>
                <UserName userId={entry.actor_id} fallback={names.nobody} />
                {` · ${showTime(entry.created_at)} · ${detailsOf(entry.details)}`}
              </>
            }
          />
        )}
      </AsyncRows>
    </>
  );
}

const nameOf = (action: string): string => action.charAt(0).toUpperCase() + action.slice(1).replaceAll("_", " ");

const detailsOf = (details: Record<string, unknown>): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null && value !== "")
    .map(
      ([name, value]) => `${name.replaceAll("_", " ")}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
    )
    .join(", ");
