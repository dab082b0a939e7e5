import type { InstanceReport, Report } from "@parley/client";
import { beginning } from "@parley/message-text";
import { type ComponentProps, Fragment, type ReactNode } from "react";
import { texts } from "../../texts/texts.js";
import { Row, Tag } from "../../ui/lists/rows.js";
import { showTime } from "../../ui/look/show.js";
import { UserName } from "../profile/user-name.js";
import styles from "./report-row.module.css";

/** Characters of a reported text that are shown. Its spoilers are open: it is to be judged. */
const contentMax = 500;

/** Who reported it, the first of them: the dialog of a report says that they are seen. */
function Reporters({ userIds }: { userIds: readonly string[] }) {
  if (userIds.length === 0) return null;
  return (
    <>
      {`${texts.moderation.reportedBy} `}
      {userIds.map((userId, index) => (
        <Fragment key={userId}>
          {index === 0 ? null : ", "}
          <UserName userId={userId} />
        </Fragment>
      ))}
      {" · "}
    </>
  );
}

/** What was reported, by how many and why. */
export function ReportRow({
  report,
  kind,
  actions,
  frame,
}: {
  report: Report | InstanceReport;
  /** What it is, where there are several kinds of things. */
  kind?: string;
  actions: ReactNode;
  frame?: ComponentProps<"li">;
}) {
  const labels = texts.moderation;
  const { author_id, content, reasons, reporters, category, source, note, created_at } = report;
  return (
    <Row
      title={
        <>
          <UserName userId={author_id} />
          {kind === undefined ? null : <Tag>{kind}</Tag>}
          <Tag>{labels.categories[category]}</Tag>
          {source === "automod" ? <Tag>{labels.byRule}</Tag> : null}
        </>
      }
      detail={
        <>
          <p className={styles.content} dir="auto">
            {content === null ? labels.contentGone : beginning(content, contentMax)}
          </p>
          <p className={styles.line} dir="auto">
            {reasons.join(" · ")}
          </p>
          <p className={styles.line}>
            <Reporters userIds={reporters} />
            {showTime(created_at)}
            {note === null ? null : ` · ${labels.note}: ${note}`}
          </p>
        </>
      }
      actions={actions}
      frame={{ ...frame, className: styles.row }}
    />
  );
}
