import { ChevronDown } from "lucide-react";
import { useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { Menu } from "../../ui/overlays/menu.js";
import { useServerActions } from "../actions/server-actions.js";
import styles from "./server-menu.module.css";

/** The name of a server, with the menu of its actions. */
export function ServerMenu({ serverId }: { serverId: string }) {
  const name = useAppState((state) => state.servers.find(({ id }) => id === serverId)?.name);
  const items = useServerActions(serverId);
  if (name === undefined) return null;
  return (
    <header className={styles.header}>
      <Menu
        trigger={
          <button type="button" className={styles.trigger} aria-label={texts.shell.serverMenu(name)}>
            <bdi className={styles.name}>{name}</bdi>
            <ChevronDown size={18} aria-hidden />
          </button>
        }
        items={items}
      />
    </header>
  );
}
