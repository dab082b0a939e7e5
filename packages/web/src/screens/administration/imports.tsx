import type { Import } from "@parley/client";
import { useCallback, useEffect, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, Empty, ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { TextField } from "../../ui/forms/field.js";
import { Row, Rows, Tag } from "../../ui/lists/rows.js";
import { Button } from "../../ui/look/button.js";
import { showTime } from "../../ui/look/show.js";
import { RowMenu } from "../../ui/overlays/row-menu.js";
import { ImportPeopleList } from "./import-people.js";
import { ImportReportView } from "./import-report.js";
import { sendArchive } from "./send-archive.js";

/** While an import is under way, it is read again so often. */
const rereadMs = 1_500;
const isUnderWay = ({ state }: Import) => state === "reading" || state === "running";

/** Archives of other services: uploading, reports, starting, undoing, and their people. */
export function ImportsSection() {
  const { client } = useApp();
  const labels = texts.imports;
  const imports = useData(useCallback((signal) => client.admin.imports({ signal }), [client]));
  const { reload } = imports;
  const isBusy = imports.value?.imports.some(isUnderWay) ?? false;
  useEffect(() => {
    if (!isBusy) return;
    const timer = setInterval(() => void reload(), rereadMs);
    return () => clearInterval(timer);
  }, [isBusy, reload]);
  return (
    <>
      <UploadForm onDone={reload} />
      <AsyncContent data={imports} shape="rows">
        {(found) => (
          <>
            {found.imports.length === 0 ? <Empty>{labels.none}</Empty> : null}
            <Rows label={labels.title}>
              {found.imports.map((one) => (
                <ImportRow key={one.id} one={one} reload={reload} />
              ))}
            </Rows>
          </>
        )}
      </AsyncContent>
    </>
  );
}

function UploadForm({ onDone }: { onDone: () => Promise<void> }) {
  const { client } = useApp();
  const labels = texts.imports;
  const [percent, setPercent] = useState<number | null>(null);
  const upload = useAction(async (file: File) => {
    setPercent(0);
    try {
      await sendArchive(client, file, (loaded) => setPercent(Math.floor((loaded / file.size) * 100)));
      await onDone();
    } finally {
      setPercent(null);
    }
  });
  return (
    <>
      <TextField
        label={labels.archive}
        type="file"
        accept=".zip,.tar,.gz,.tgz,.json,.jsonl"
        disabled={upload.isBusy}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file !== undefined) void upload.run(file);
        }}
      />
      {percent === null ? null : (
        <p role="status">
          <progress value={percent} max={100} aria-label={labels.uploading} /> {labels.percent(percent)}
        </p>
      )}
      <ErrorNote error={upload.error} />
    </>
  );
}

function ImportRow({ one, reload }: { one: Import; reload: () => Promise<void> }) {
  const { client } = useApp();
  const labels = texts.imports;
  const [shown, setShown] = useState<"report" | "people" | null>(null);
  const [isVisible, setVisible] = useState(false);
  const act = useAction(async (change: () => Promise<unknown>) => {
    await change();
    await reload();
  });
  const run = (change: () => Promise<unknown>) => () => void act.run(change);
  const name = labels.nameOf(one.source, showTime(one.created_at));
  const toggle = (part: "report" | "people") => () => setShown(shown === part ? null : part);
  const { messages, of, files, of_files } = one.progress;
  return (
    <>
      <Row
        title={
          <>
            {name}
            <Tag tone={one.state === "failed" ? "danger" : one.state === "done" ? "success" : "plain"}>
              {labels.states[one.state]}
            </Tag>
          </>
        }
        detail={one.error ?? (of > 0 ? labels.progress(messages, of, files, of_files) : "")}
        actions={
          <>
            {one.report === null ? null : (
              <Button kind="quiet" aria-expanded={shown === "report"} onClick={toggle("report")}>
                {labels.report}
              </Button>
            )}
            {one.server_id === null ? null : (
              <Button kind="quiet" aria-expanded={shown === "people"} onClick={toggle("people")}>
                {labels.people}
              </Button>
            )}
            {one.state === "running" ? (
              <Button kind="quiet" disabled={act.isBusy} onClick={run(() => client.admin.pauseImport(one.id))}>
                {labels.pause}
              </Button>
            ) : null}
            {one.state === "paused" || one.state === "failed" ? (
              <Button kind="quiet" disabled={act.isBusy} onClick={run(() => client.admin.resumeImport(one.id))}>
                {labels.resume}
              </Button>
            ) : null}
            {one.state === "undone" ? null : (
              <RowMenu
                name={name}
                actions={[
                  {
                    label: labels.undo,
                    danger: true,
                    question: {
                      title: labels.undoTitle,
                      explanation: labels.undoExplanation,
                      onConfirm: async () => {
                        await client.admin.undoImport(one.id);
                        await reload();
                      },
                    },
                  },
                ]}
              />
            )}
          </>
        }
      />
      <ErrorNote error={act.error} />
      {one.state === "ready" ? (
        <li>
          <label>
            <input type="checkbox" checked={isVisible} onChange={(event) => setVisible(event.currentTarget.checked)} />{" "}
            {labels.visible}
          </label>{" "}
          <Button
            disabled={act.isBusy}
            onClick={run(() => client.admin.startImport(one.id, isVisible ? { visible: "all" } : {}))}
          >
            {labels.start}
          </Button>
        </li>
      ) : null}
      {one.report !== null && (shown === "report" || one.state === "ready") ? (
        <li>
          <ImportReportView report={one.report} />
        </li>
      ) : null}
      {shown === "people" ? (
        <li>
          <ImportPeopleList importId={one.id} />
        </li>
      ) : null}
    </>
  );
}
