import { useCallback } from "react";
import { useApp } from "../../state/app/use-app.js";
import { formats, texts } from "../../texts/texts.js";
import { AsyncContent } from "../../ui/data/async-content.js";
import { useData } from "../../ui/data/use-data.js";
import { showBytes, showNumber } from "../../ui/look/show.js";
import { SearchReindexing } from "./search-reindexing.js";
import styles from "./statistics.module.css";

/** Statistics of the instance: size, connections, latency of the database and uptime; and the progress of the search. */
export function StatisticsSection() {
  const { client } = useApp();
  const labels = texts.administration.statistics;
  const stats = useData(useCallback((signal) => client.admin.stats({ signal }), [client]));
  return (
    <div className={styles.section}>
      <AsyncContent data={stats} shape="cards">
        {(value) => (
          <dl className={styles.figures}>
            <Figure name={labels.total_users} value={showNumber(value.total_users)} />
            <Figure name={labels.total_servers} value={showNumber(value.total_servers)} />
            <Figure name={labels.total_channels} value={showNumber(value.total_channels)} />
            <Figure name={labels.total_messages} value={showNumber(value.total_messages)} />
            <Figure name={labels.active_ws_connections} value={showNumber(value.active_ws_connections)} />
            <Figure name={labels.storage} value={showBytes(value.storage_bytes)} />
            <Figure name={labels.latency} value={formats.milliseconds(value.db_latency_ms)} />
            {value.uptime_secs === null ? null : <Figure name={labels.uptime} value={showUptime(value.uptime_secs)} />}
          </dl>
        )}
      </AsyncContent>
      <SearchReindexing />
    </div>
  );
}

function showUptime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? formats.minutes(minutes) : formats.hours(minutes / 60);
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div className={styles.figure}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
