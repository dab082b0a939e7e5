import { useCallback, useEffect } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Row, Rows, Tag } from "../../ui/lists/rows.js";
import { Button } from "../../ui/look/button.js";
import { showNumber } from "../../ui/look/show.js";

/** While messages get new words, the progress is read again so often. */
const rereadMs = 2_000;

/** How far the reindexing of the search is, with a way to pause it; nothing once it is done. */
export function SearchReindexing() {
  const { client } = useApp();
  const labels = texts.administration.statistics;
  const progress = useData(useCallback((signal) => client.admin.searchReindexing({ signal }), [client]));
  const { reload, value } = progress;
  const isRunning = value?.state === "running";
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => void reload(), rereadMs);
    return () => clearInterval(timer);
  }, [isRunning, reload]);
  const change = useAction(async () => {
    const changed = await (isRunning ? client.admin.pauseSearchReindexing() : client.admin.resumeSearchReindexing());
    progress.set(() => changed);
  });
  if (value === null || value.state === "done") return null;
  return (
    <>
      <Rows label={labels.reindexing}>
        <Row
          title={
            <>
              {labels.reindexing} {isRunning ? null : <Tag>{labels.paused}</Tag>}
            </>
          }
          detail={labels.reindexed(showNumber(value.done), showNumber(value.total))}
          actions={
            <Button kind="quiet" disabled={change.isBusy} onClick={() => void change.run()}>
              {isRunning ? labels.pause : labels.resume}
            </Button>
          }
        />
      </Rows>
      <ErrorNote error={change.error} />
    </>
  );
}
