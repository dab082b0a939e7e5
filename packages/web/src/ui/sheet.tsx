import { Check } from "lucide-react";
import { Dialog } from "radix-ui";
import type { MenuEntry, MenuItem } from "./menu.js";
import { returnFocus } from "./return-focus.js";
import styles from "./sheet.module.css";

/** A menu at the bottom of a touch screen. */
export function Sheet({ label, items, onClose }: { label: string; items: readonly MenuEntry[]; onClose: () => void }) {
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.overlay} />
        <Dialog.Content className={styles.sheet} aria-describedby={undefined} onCloseAutoFocus={returnFocus}>
          <Dialog.Title className="visually-hidden">{label}</Dialog.Title>
          {items.map((item) =>
            item === null ? null : "items" in item ? (
              <fieldset key={item.label} className={styles.group}>
                <legend>{item.label}</legend>
                {item.items.map((inner) => (
                  <SheetButton key={inner.label} item={inner} onClose={onClose} />
                ))}
              </fieldset>
            ) : (
              <SheetButton key={item.label} item={item} onClose={onClose} />
            ),
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function SheetButton({ item, onClose }: { item: MenuItem; onClose: () => void }) {
  return (
    <button
      type="button"
      className={styles.item}
      data-danger={item.danger === true}
      aria-pressed={item.isOn}
      onClick={() => {
        if (item.isOn === undefined) onClose();
        item.onSelect();
      }}
    >
      {item.icon}
      <bdi className={styles.label}>{item.label}</bdi>
      {item.isOn === true ? <Check size={18} aria-hidden /> : null}
    </button>
  );
}
