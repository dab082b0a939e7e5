import type { InstanceReport } from "@parley/client";
import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Choice } from "../../ui/forms/field.js";
import { AsyncRows } from "../../ui/lists/async-rows.js";
import { Button } from "../../ui/look/button.js";
import { CloseDialog } from "../moderation/close-dialog.js";
import { ReportRow } from "../moderation/report-row.js";

const pageSize = 25;
type Status = InstanceReport["status"];

/** Reports of direct messages, users and servers. */
export function InstanceReportsSection() {
  const { client } = useApp();
  const labels = texts.moderation;
  const [status, setStatus] = useState<Status>("open");
  const [closing, setClosing] = useState<InstanceReport | null>(null);
  const reports = useData(
    useCallback((signal) => client.admin.reports({ status, limit: pageSize }, { signal }), [client, status]),
  );
  const older = useAction((last: InstanceReport) =>
    reports.extend(async () => {
      const page = await client.admin.reports({ status, limit: pageSize, before: last.id });
      return (known) => [...known, ...page];
    }),
  );
  const update = async ({ id }: InstanceReport, change: { status: Status; note?: string | null }) => {
    await client.admin.updateReport(id, change);
    reports.set((known) => known.filter((report) => report.id !== id));
  };
  const reopen = useAction((report: InstanceReport) => update(report, { status: "open" }));
  return (
    <>
      <Choice
        label={labels.status}
        value={status}
        onChange={(event) => setStatus(event.currentTarget.value === "closed" ? "closed" : "open")}
      >
        <option value="open">{labels.statuses.open}</option>
        <option value="closed">{labels.statuses.closed}</option>
      </Choice>
      <ErrorNote error={reopen.error} />
      <AsyncRows
        data={reports}
        label={labels.reports}
        empty={labels.none}
        more={{ label: labels.older, pageSize, action: older }}
      >
        {(report) => (
          <ReportRow
            key={report.id}
            report={report}
            kind={labels.targets[report.target_type]}
            actions={
              <Button
                kind="quiet"
                onClick={() => (report.status === "open" ? setClosing(report) : void reopen.run(report))}
              >
                {report.status === "open" ? labels.close : labels.reopen}
              </Button>
            }
          />
        )}
      </AsyncRows>
      {closing === null ? null : (
        <CloseDialog
          note={closing.note}
          onConfirm={(note) => update(closing, { status: "closed", note })}
          onClose={() => setClosing(null)}
        />
      )}
    </>
  );
}
