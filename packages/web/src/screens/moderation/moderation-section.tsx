import type { ReactNode } from "react";
import { texts } from "../../texts/texts.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { ReportList } from "./report-list.js";
import styles from "./report-row.module.css";
import { type ReportKey, reportKeys } from "./use-report-keys.js";

/** Reports of a server and the log of its auto-moderation, as far as the user may read them. */
export function ModerationSection({
  serverId,
  reviews,
  log,
}: {
  serverId: string;
  /** Whether the user reviews reports. */
  reviews: boolean;
  /** The log of auto-moderation; null for a user who may not read it. */
  log: ReactNode | null;
}) {
  const labels = texts.moderation;
  return (
    <>
      {reviews ? (
        <>
          <Panel title={labels.reports}>
            <ReportList serverId={serverId} />
          </Panel>
          <Panel title={labels.keys}>
            <dl className={styles.keys}>
              {Object.entries(reportKeys).map(([name, keys]) => (
                <KeyLine key={name} name={name} keys={keys} />
              ))}
            </dl>
          </Panel>
        </>
      ) : null}
      {log === null ? null : <Panel title={texts.serverSettings.automod.log}>{log}</Panel>}
    </>
  );
}

const isKey = (name: string): name is ReportKey => Object.hasOwn(reportKeys, name);

function KeyLine({ name, keys }: { name: string; keys: readonly string[] }) {
  if (!isKey(name)) return null;
  return (
    <>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key} </kbd>
        ))}
      </dt>
      <dd>{texts.moderation.keysOf[name]}</dd>
    </>
  );
}
