import { texts } from "../../texts/texts.js";
import { Dialog } from "../../ui/dialog.js";
import styles from "./shortcut-list.module.css";
import { shortcuts } from "./shortcuts.js";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** All shortcuts, in a dialog. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  const names = texts.shell.shortcuts;
  return (
    <Dialog open onOpenChange={onClose} title={names.title} description={names.typing}>
      <dl className={styles.list}>
        {shortcuts.map(({ chord, name }) => (
          <div key={name} className={styles.line}>
            <dt>{names[name]}</dt>
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
  const names = texts.shell.shortcuts.keys;
  if (key === "Mod") return isMac ? "⌘" : names.Control;
  if (key === "Alt") return isMac ? "⌥" : names.Alt;
  if (key === "Shift") return names.Shift;
  if (key === "Escape") return names.Escape;
  return { ArrowUp: "↑", ArrowDown: "↓" }[key] ?? key;
}
