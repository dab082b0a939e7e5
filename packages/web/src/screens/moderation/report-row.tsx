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

/** The first reporters: the dialog of a report says that moderators see them. */
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

/** The target of a report, the number of its reporters and their reasons. */
export function ReportRow({
  report,
  kind,
  actions,
  frame,
}: {
  report: Report | InstanceReport;
  /** The kind of target, where there are several. */
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
