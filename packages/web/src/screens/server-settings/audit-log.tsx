import type { AuditLogEntry } from "@parley/client";
import { useCallback, useMemo, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import { visibleChannels } from "../../state/access/permissions.js";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Choice } from "../../ui/forms/field.js";
import { AsyncRows } from "../../ui/lists/async-rows.js";
import { AuditEntry } from "./audit-entry.js";
import { auditNames } from "./audit-names.js";
import type { ServerSectionProps } from "./section-props.js";

const pageSize = 50;
/** The most members of one request (docs/protocol/communities.md#20.3). */
const membersMax = 1_000;

/** The audit log of the server, newest first. */
export function AuditLogSection({ server }: ServerSectionProps) {
  const { client } = useApp();
  const labels = texts.auditLog;
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
  const named = useNamed(server.id);
  const known = useMemo(() => auditNames(named ?? { channels: [], roles: [] }, log.value ?? []), [named, log.value]);
  const older = useAction((last: AuditLogEntry) =>
    log.extend(async () => {
      const page = await read(undefined, last.id);
      return (entries) => [...entries, ...page];
    }),
  );
  return (
    <>
      <Choice label={labels.action} value={action} onChange={(event) => setAction(event.currentTarget.value)}>
        <option value="">{labels.all}</option>
        {Object.entries(labels.actions).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </Choice>
      <AsyncRows
        // Waits for the names: without them, existing channels and roles would be shown as deleted.
        data={named === null ? { ...log, value: null } : log}
        label={labels.title}
        empty={action === "" ? labels.none : labels.noneOfAction}
        more={{ label: labels.older, pageSize, action: older }}
      >
        {(entry) => <AuditEntry key={entry.id} entry={entry} names={known} />}
      </AsyncRows>
    </>
  );
}

/**
 * The channels, roles and members that the log refers to by ids. The members are read into the store in one
 * request; other accounts are read one by one, once each. Null while reading; a failed read gives no names.
 */
function useNamed(serverId: string) {
  const { members } = useApp();
  const channels = useAppState(useShallow((state) => visibleChannels(state, serverId) ?? []));
  const roles = useAppState((state) => state.roles[serverId]);
  const reading = useData(
    useCallback(async () => {
      await members.list(serverId, { limit: membersMax }).catch(() => undefined);
      return true;
    }, [members, serverId]),
  );
  return reading.value === null ? null : { channels, roles: roles ?? [] };
}
