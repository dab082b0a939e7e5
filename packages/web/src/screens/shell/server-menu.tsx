import { ChevronDown } from "lucide-react";
import { useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { Menu } from "../../ui/overlays/menu.js";
import { ReportsBadge, useReadReports } from "../actions/reports-badge.js";
import { useServerActions } from "../actions/server-actions.js";
import styles from "./server-menu.module.css";

/** The name of a server, with the menu of its actions. */
export function ServerMenu({ serverId }: { serverId: string }) {
  const name = useAppState((state) => state.servers.find(({ id }) => id === serverId)?.name);
  const items = useServerActions(serverId);
  const reports = useReadReports(serverId);
  if (name === undefined) return null;
  const menu = texts.shell.serverMenu(name);
  const label = reports === 0 ? menu : `${menu}, ${texts.moderation.open(reports)}`;
  return (
    <header className={styles.header}>
      <Menu
        trigger={
          <button type="button" className={styles.trigger} aria-label={label}>
            <bdi className={styles.name}>{name}</bdi>
            <ChevronDown size={18} aria-hidden />
          </button>
        }
        items={items}
      />
      <span aria-hidden>
        <ReportsBadge count={reports} />
      </span>
    </header>
  );
}
