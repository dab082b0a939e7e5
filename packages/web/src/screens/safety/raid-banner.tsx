import { useCallback } from "react";
import { Link } from "wouter";
import { holdsRight } from "../../state/access/permissions.js";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useRead } from "../../state/app/use-read.js";
import { texts } from "../../texts/texts.js";
import { showTime } from "../../ui/look/show.js";
import styles from "./safety.module.css";

/** Says to those who manage raids that the open server is under one. */
export function RaidBanner({ serverId }: { serverId: string }) {
  const { safety } = useApp();
  const mayManage = useAppState((state) => holdsRight(state, serverId, "manage_raids"));
  const until = useAppState((state) => state.raids[serverId] ?? null);
  useRead(useCallback(async () => mayManage && safety.readRaid(serverId), [safety, serverId, mayManage]));
  return (
    <div role="status">
      {until === null || !mayManage ? null : (
        <p className={styles.banner}>
          {texts.shell.underRaid(showTime(until))}
          <Link href={`/servers/${serverId}/settings/safety`}>{texts.shell.manageRaid}</Link>
        </p>
      )}
    </div>
  );
}
