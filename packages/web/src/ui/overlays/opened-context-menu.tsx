import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { createPortal } from "react-dom";
import styles from "./context-menu.module.css";
import menuStyles from "./menu.module.css";
import { MenuEntries, type MenuEntry } from "./opened-menu.js";
import { Sheet } from "./opened-sheet.js";
import { returnFocus } from "./return-focus.js";
import type { MenuPosition } from "./use-context-menu.js";

/** A context menu and where it is. */
export interface ContextMenuProps {
  position: MenuPosition;
  label: string;
  items: readonly MenuEntry[];
  /** Stands above the entries of a sheet; a menu has entries only. */
  above?: ReactNode;
  onClose: () => void;
}

/** An open context menu. */
export function OpenedContextMenu({ position, label, items, above, onClose }: ContextMenuProps) {
  if (position.kind === "sheet") return <Sheet label={label} items={items} above={above} onClose={onClose} />;
  return (
    <DropdownMenu.Root open onOpenChange={onClose} modal={false}>
      {/* Outside of the list, in which fixed elements would scroll. */}
      {createPortal(
        <DropdownMenu.Trigger asChild>
          {/* The pointer's coordinates are the same in both directions of writing. */}
          <button
            type="button"
            tabIndex={-1}
            aria-label={label}
            className={styles.point}
            style={{ transform: `translate(${position.x}px, ${position.y}px)` }}
          />
        </DropdownMenu.Trigger>,
        document.body,
      )}
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className={menuStyles.menu}
          side={getComputedStyle(document.documentElement).direction === "rtl" ? "left" : "right"}
          align="start"
          // Beside the pointer: the button that opened the menu is lifted there, which would choose an entry.
          sideOffset={2}
          collisionPadding={8}
          onCloseAutoFocus={returnFocus}
        >
          <MenuEntries items={items} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
