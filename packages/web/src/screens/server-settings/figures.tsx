import type { ServerInsights } from "@parley/client";
import { type InsightMeasure, type InsightSpan, insightMeasures, insightSpans, insightsCsv } from "@parley/contracts";
import { useCallback, useState } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { ownTimeZone } from "../../state/people/local-time.js";
import { formats, texts } from "../../texts/texts.js";
import { AsyncContent, ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { Chips } from "../../ui/forms/chips.js";
import { DownloadPanel } from "../../ui/forms/download-panel.js";
import { Choice } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { ListRows } from "../../ui/lists/async-rows.js";
import { Details, Row } from "../../ui/lists/rows.js";
import { showNumber } from "../../ui/look/show.js";
import styles from "./figures.module.css";
import { Plot } from "./plot.js";
import type { ServerSectionProps } from "./section-props.js";

type Day = ServerInsights["days"][number];

const plots = {
  members: ["members"],
  coming: ["joins", "leaves"],
  activity: ["active_members", "writers"],
  messages: ["messages"],
} as const satisfies Record<string, readonly InsightMeasure[]>;
const plotNames = ["messages", "activity", "coming", "members"] as const;

/** The figures of a server by days of its time zone. None of them names a member. */
export function FiguresSection({ server }: ServerSectionProps) {
  const { client } = useApp();
  const labels = texts.figures;
  const [span, setSpan] = useState<InsightSpan>(28);
  const figures = useData(
    useCallback((signal) => client.servers.insights(server.id, { days: span }, { signal }), [client, server.id, span]),
  );
  return (
    <>
      <Chips
        label={labels.span}
        choices={insightSpans.map((days) => ({ value: `${days}`, label: formats.days(days) }))}
        value={`${span}`}
        onChoose={(chosen) => setSpan(insightSpans.find((days) => `${days}` === chosen) ?? span)}
      />
      <AsyncContent data={figures} shape="cards">
        {(known) => (
          <>
            {plotNames.map((name) => (
              <Panel key={name} title={labels.plots[name]}>
                <Plot
                  days={known.days.map(({ date }) => showDay(date))}
                  series={plots[name].map((measure) => seriesOf(known.days, measure))}
                />
              </Panel>
            ))}
            <DayTable days={known.days} />
            <Places figures={known} />
            <DownloadPanel
              title={labels.file}
              explanation={labels.fileHint}
              button={labels.download}
              filename={`figures-${known.days.at(-1)?.date}-${span}.csv`}
              read={async () => new Blob([insightsCsv(known.days)], { type: "text/csv" })}
            />
          </>
        )}
      </AsyncContent>
      <TimeZone serverId={server.id} timeZone={server.timezone ?? "UTC"} onChange={figures.reload} />
    </>
  );
}

/** A measure by days. People of one day come again on the next one, so of them the busiest day says more than a sum. */
function seriesOf(days: readonly Day[], measure: InsightMeasure) {
  const labels = texts.figures;
  const values = days.map((day) => day[measure]);
  const sum = () => showNumber(values.reduce((total, value) => total + value, 0));
  const shown = {
    members: () => showNumber(values.at(-1) ?? 0),
    active_members: () => labels.atMost(showNumber(Math.max(0, ...values))),
    writers: () => labels.atMost(showNumber(Math.max(0, ...values))),
    ...{ joins: sum, leaves: sum, messages: sum },
  }[measure]();
  return { name: labels.measures[measure], values, shown };
}

/** A day of the server's time zone, whichever that of the reader is. */
const showDay = (date: string) => formats.day(`${date}T12:00`);

function DayTable({ days }: { days: readonly Day[] }) {
  const labels = texts.figures;
  return (
    <details className={styles.days}>
      <summary>{labels.table}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than the page scrolls by keys, too. */}
      <section className={styles.scroll} aria-label={labels.table} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{labels.day}</th>
              {insightMeasures.map((measure) => (
                <th key={measure} scope="col">
                  {labels.measures[measure]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...days].reverse().map((day) => (
              <tr key={day.date}>
                <th scope="row">{showDay(day.date)}</th>
                {insightMeasures.map((measure) => (
                  <td key={measure}>{showNumber(day[measure])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

function Places({ figures: { channels, invites } }: { figures: ServerInsights }) {
  const labels = texts.figures;
  const known = useAppState((state) => state.channels);
  return (
    <>
      <Panel title={labels.channels}>
        <ListRows items={channels} label={labels.channels} empty={labels.noChannels}>
          {({ channel_id, messages, writers }) => (
            <Row
              key={channel_id}
              title={<bdi>#{known[channel_id]?.name ?? labels.unknownChannel}</bdi>}
              detail={<Details parts={[labels.messagesOf(messages), labels.writersOf(writers)]} />}
            />
          )}
        </ListRows>
      </Panel>
      <Panel title={labels.invites}>
        <ListRows items={invites} label={labels.invites} empty={labels.noInvites}>
          {({ code, joins, still_members }) => (
            <Row
              key={code}
              title={<bdi>{code}</bdi>}
              detail={<Details parts={[labels.joinsOf(joins), labels.stillOf(still_members)]} />}
            />
          )}
        </ListRows>
      </Panel>
    </>
  );
}

function TimeZone({
  serverId,
  timeZone,
  onChange,
}: {
  serverId: string;
  timeZone: string;
  onChange: () => Promise<void>;
}) {
  const { client } = useApp();
  const labels = texts.figures;
  const save = useAction(async (chosen: string) => {
    await client.servers.update(serverId, { timezone: chosen === "UTC" ? null : chosen });
    await onChange();
  });
  const zones = new Set(["UTC", ownTimeZone(), timeZone, ...Intl.supportedValuesOf("timeZone")]);
  return (
    <Panel title={labels.timeZone}>
      <Choice
        label={labels.timeZone}
        hint={labels.timeZoneHint}
        value={timeZone}
        disabled={save.isBusy}
        onChange={({ target }) => void save.run(target.value)}
      >
        {[...zones].map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </Choice>
      <ErrorNote error={save.error} />
    </Panel>
  );
}
