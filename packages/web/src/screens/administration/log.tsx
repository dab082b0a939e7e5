import type { AdminLogEntry } from "@parley/client";
import { useCallback } from "react";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/texts.js";
import { AsyncRows } from "../../ui/async-rows.js";
import { Row } from "../../ui/rows.js";
import { showTime } from "../../ui/show.js";
import { useAction } from "../../ui/use-action.js";
import { useData } from "../../ui/use-data.js";

const pageSize = 50;

/** What administrators did, newest first. */
export function LogSection() {
  const { client } = useSession();
  const names = texts.administration.log;
  const log = useData(useCallback((signal) => client.admin.auditLog({ limit: pageSize }, { signal }), [client]));
  const older = useAction(async (last: AdminLogEntry) => {
    const page = await client.admin.auditLog({ limit: pageSize, before: last.created_at });
    log.set((entries) => [...entries, ...page]);
  });
  return (
    <AsyncRows data={log} label={names.title} empty={names.none} more={{ label: names.older, pageSize, action: older }}>
      {(entry) => (
        <Row
          key={entry.id}
          title={names.entry(entry.action, entry.target_id)}
          detail={`${showTime(entry.created_at)} · ${JSON.stringify(entry.details)}`}
        />
      )}
    </AsyncRows>
  );
}
