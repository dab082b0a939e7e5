import { X } from "lucide-react";
import type { ReactNode } from "react";
import { texts } from "../../../texts/texts.js";
import { IconButton } from "../../../ui/look/button.js";
import { useIsNarrow } from "../../../ui/look/use-media.js";
import { Drawer } from "../../../ui/overlays/drawer.js";
import styles from "./side-panel.module.css";

/** A panel beside the messages; on narrow screens a drawer. */
export function SidePanel({
  title,
  wide = false,
  actions = null,
  onClose,
  children,
}: {
  title: string;
  wide?: boolean;
  /** Buttons beside the one that closes it. */
  actions?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  const isNarrow = useIsNarrow();
  const content = (
    <aside className={styles.panel} data-wide={wide} aria-label={title}>
      <header className={styles.header}>
        <h2 className={styles.title}>{title}</h2>
        {actions}
        <IconButton label={texts.common.close} onClick={onClose}>
          <X size={18} aria-hidden />
        </IconButton>
      </header>
      {children}
    </aside>
  );
  return isNarrow ? (
    <Drawer open onOpenChange={onClose} side="end" title={title}>
      {content}
    </Drawer>
  ) : (
    content
  );
}
