import type { Import } from "@parley/client";
import { texts } from "../../texts/texts.js";
import { Row, Rows, Tag } from "../../ui/lists/rows.js";

/** What would come, what is skipped and why, and which channels will be private. */
export function ImportReportView({ report }: { report: NonNullable<Import["report"]> }) {
  const labels = texts.imports;
  return (
    <>
      {report.servers.map((server) => (
        <section key={server.name} aria-label={server.name}>
          <h3 dir="auto">{server.name}</h3>
          <p>{labels.counts(server.counts)}</p>
          <Rows label={labels.channels}>
            {server.channels.map((channel, index) => (
              <Row
                // biome-ignore lint/suspicious/noArrayIndexKey: two channels may have one name, and the list never changes.
                key={index}
                title={
                  <>
                    <bdi>{channel.name}</bdi>
                    {channel.private === false ? null : (
                      <Tag>{channel.private === null ? labels.perhapsPrivate : labels.private}</Tag>
                    )}
                    {channel.archived ? <Tag>{labels.archived}</Tag> : null}
                  </>
                }
                detail={labels.messages(channel.messages)}
              />
            ))}
          </Rows>
        </section>
      ))}
      {report.skipped.length === 0 ? null : (
        <>
          <h3>{labels.skipped}</h3>
          <Rows label={labels.skipped}>
            {report.skipped.map(({ kind, reason, count, example }) => (
              <Row
                key={`${kind} ${reason}`}
                title={labels.skippedThing(labels.kinds[kind], count)}
                detail={
                  <>
                    <span dir="ltr">{reason}</span> · <bdi>{example}</bdi>
                  </>
                }
              />
            ))}
          </Rows>
        </>
      )}
    </>
  );
}
