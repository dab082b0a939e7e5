import { texts } from "../../texts/texts.js";
import { Dialog } from "../../ui/overlays/dialog.js";
import styles from "./shortcut-list.module.css";
import { shortcuts } from "./shortcuts.js";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** All shortcuts, in a dialog. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  const labels = texts.shell.shortcuts;
  return (
    <Dialog open onOpenChange={onClose} title={labels.title} description={labels.typing}>
      <dl className={styles.list}>
        {shortcuts.map(({ chord, name }) => (
          <div key={name} className={styles.line}>
            <dt>{labels[name]}</dt>
            <dd className={styles.keys}>
              {chord.map((key) => (
                <kbd key={key}>{keyName(key)}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

function keyName(key: string): string {
  const labels = texts.shell.shortcuts.keys;
  if (key === "Mod") return isMac ? "⌘" : labels.Control;
  if (key === "Alt") return isMac ? "⌥" : labels.Alt;
  if (key === "Shift") return labels.Shift;
  if (key === "Escape") return labels.Escape;
  return { ArrowUp: "↑", ArrowDown: "↓" }[key] ?? key;
}
