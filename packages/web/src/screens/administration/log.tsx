import type { AdminLogEntry } from "@parley/client";
import { useCallback } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { AsyncRows } from "../../ui/lists/async-rows.js";
import { phrasesOf, textOf } from "../logs/details.js";
import { LogRow } from "../logs/log-row.js";
import { UserName } from "../profile/user-name.js";

const pageSize = 50;

/** The log of administration, newest first. */
export function LogSection() {
  const { client } = useApp();
  const labels = texts.auditLog;
  const log = useData(useCallback((signal) => client.admin.auditLog({ limit: pageSize }, { signal }), [client]));
  const older = useAction((last: AdminLogEntry) =>
    log.extend(async () => {
      const page = await client.admin.auditLog({ limit: pageSize, before: last.created_at });
      return (entries) => [...entries, ...page];
    }),
  );
  return (
    <AsyncRows
      data={log}
      label={texts.administration.log}
      empty={labels.none}
      more={{ label: labels.older, pageSize, action: older }}
    >
      {(entry) => (
        <LogRow
          key={entry.id}
          action={textOf(labels.adminActions, entry.action)}
          target={targetOf(entry)}
          actorId={entry.admin_id}
          time={entry.created_at}
          phrases={phrasesOf(entry.details, ["name", "username"])}
        />
      )}
    </AsyncRows>
  );
}

/** Shows the name stored in the entry, as the account or server may be deleted. */
function targetOf({ target_type, target_id, details }: AdminLogEntry) {
  const { name, username } = details;
  if (target_type === "settings" || target_type === "report" || target_type === "import") return null;
  if (typeof username === "string") return <bdi>{username}</bdi>;
  if (target_type === "user") return <UserName userId={target_id} />;
  return typeof name === "string" ? (
    <bdi>{name}</bdi>
  ) : (
    <span title={target_id ?? undefined}>{texts.auditLog.gone.server}</span>
  );
}
