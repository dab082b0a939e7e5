import { Menu } from "lucide-react";
import type { ReactNode } from "react";
import { texts } from "../../texts/texts.js";
import { IconButton } from "../../ui/look/button.js";
import { useIsNarrow } from "../../ui/look/use-media.js";
import { SearchButton } from "../search/search-button.js";
import { useLayout } from "./layout.js";
import styles from "./top-bar.module.css";

/** The line above the open page: its name, its actions and the search. */
export function TopBar({
  icon,
  title,
  note,
  children,
}: {
  icon?: ReactNode;
  title: string;
  note?: string | null;
  children?: ReactNode;
}) {
  const isNarrow = useIsNarrow();
  const showNavigation = useLayout((layout) => layout.showNavigation);
  return (
    <header className={styles.bar}>
      {isNarrow ? (
        <IconButton label={texts.shell.openNavigation} onClick={() => showNavigation(true)}>
          <Menu size={20} aria-hidden />
        </IconButton>
      ) : null}
      {icon}
      {title === "" ? null : (
        // Cut at its own end, also where the page is read from the other side.
        <h1 className={styles.title} dir="auto">
          {title}
        </h1>
      )}
      {note ? (
        <p className={styles.note} title={note}>
          <bdi>{note}</bdi>
        </p>
      ) : null}
      <div className={styles.actions}>
        {children}
        <SearchButton />
      </div>
    </header>
  );
}
