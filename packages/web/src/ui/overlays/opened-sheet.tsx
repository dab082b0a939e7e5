import { Check } from "lucide-react";
import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { inOrder, type MenuEntry, type MenuItem } from "./opened-menu.js";
import { returnFocus } from "./return-focus.js";
import styles from "./sheet.module.css";

/** A sheet and its content. */
export interface SheetFrameProps {
  open?: boolean;
  label: string;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
}

/** A sheet that was open once. */
export function OpenedSheetFrame({ open = true, label, onOpenChange, children }: SheetFrameProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.overlay} />
        <Dialog.Content className={styles.sheet} aria-describedby={undefined} onCloseAutoFocus={returnFocus}>
          <Dialog.Title className="visually-hidden">{label}</Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** A menu at the bottom of a touch screen. */
export function Sheet({
  label,
  items,
  above,
  onClose,
}: {
  label: string;
  items: readonly MenuEntry[];
  /** Stands above the entries. */
  above?: ReactNode;
  onClose: () => void;
}) {
  return (
    <OpenedSheetFrame label={label} onOpenChange={onClose}>
      {above}
      {inOrder(items).map((item) =>
        "items" in item ? (
          <fieldset key={item.label} className={styles.group}>
            <legend>{item.label}</legend>
            {inOrder(item.items).map((inner) => (
              <SheetButton key={inner.label} item={inner} onClose={onClose} />
            ))}
          </fieldset>
        ) : (
          <SheetButton key={item.label} item={item} onClose={onClose} />
        ),
      )}
    </OpenedSheetFrame>
  );
}

function SheetButton({ item, onClose }: { item: MenuItem; onClose: () => void }) {
  return (
    <button
      type="button"
      className={styles.item}
      data-danger={item.danger === true}
      data-group={item.beginsGroup}
      aria-pressed={item.isOn}
      onClick={() => {
        if (item.isOn === undefined) onClose();
        item.onSelect();
      }}
    >
      {item.icon}
      <bdi className={styles.label}>{item.label}</bdi>
      {item.badge}
      {item.isOn === true ? <Check size={18} aria-hidden /> : null}
    </button>
  );
}
