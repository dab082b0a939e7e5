import { useCallback } from "react";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, Empty, ErrorNote } from "../../ui/async-content.js";
import { Button } from "../../ui/button.js";
import { Row, Rows } from "../../ui/rows.js";
import { showTime } from "../../ui/show.js";
import { useAction } from "../../ui/use-action.js";
import { useData } from "../../ui/use-data.js";

const pageSize = 50;

/** What administrators did, newest first. */
export function LogSection() {
  const { client } = useSession();
  const names = texts.administration.log;
  const log = useData(useCallback((signal) => client.admin.auditLog({ limit: pageSize }, { signal }), [client]));
  const older = useAction(async (before: string) => {
    const page = await client.admin.auditLog({ limit: pageSize, before });
    log.set((entries) => [...entries, ...page]);
  });
  return (
    <AsyncContent data={log}>
      {(entries) => {
        const last = entries.at(-1);
        if (last === undefined) return <Empty>{names.none}</Empty>;
        return (
          <>
            <Rows label={names.title}>
              {entries.map((entry) => (
                <Row
                  key={entry.id}
                  title={names.entry(entry.action, entry.target_id)}
                  detail={`${showTime(entry.created_at)} · ${JSON.stringify(entry.details)}`}
                />
              ))}
            </Rows>
            <ErrorNote error={older.error} />
            {entries.length % pageSize === 0 ? (
              <Button kind="quiet" disabled={older.isBusy} onClick={() => older.run(last.created_at)}>
                {names.older}
              </Button>
            ) : null}
          </>
        );
      }}
    </AsyncContent>
  );
}
