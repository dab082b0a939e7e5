import { Hash, Inbox, MessageCircle, Server, Volume2 } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { texts } from "../../texts/texts.js";
import { useListbox } from "../../ui/forms/use-listbox.js";
import styles from "./quick-switcher.module.css";
import { matchTargets, type Target } from "./targets.js";

const icons = { channel: Hash, voice: Volume2, server: Server, person: MessageCircle, inbox: Inbox };

/** A field whose letters choose among targets, and the list of those that match. */
export function TargetChoices({
  targets,
  labels,
  onChoose,
}: {
  targets: readonly Target[];
  labels: { field: string; list: string };
  onChoose: (target: Target) => void;
}) {
  const [typed, setTyped] = useState("");
  const found = matchTargets(targets, typed);
  const choose = (index: number) => {
    const target = found[index];
    if (target !== undefined) onChoose(target);
  };
  const listbox = useListbox({ count: found.length, subject: typed, onPick: choose });
  const onKeyDown = (event: KeyboardEvent) => {
    if (listbox.onKey(event.key)) event.preventDefault();
  };
  return (
    <>
      <input
        className={styles.input}
        role="combobox"
        aria-label={labels.field}
        aria-expanded={found.length > 0}
        {...listbox.field}
        placeholder={labels.field}
        value={typed}
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened in order to type.
        autoFocus
        onKeyDown={onKeyDown}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <div {...listbox.list} role="listbox" aria-label={labels.list} className={styles.list}>
        {found.map((target, index) => {
          const Icon = icons[target.kind];
          return (
            <div
              key={target.id}
              {...listbox.option(index)}
              role="option"
              tabIndex={-1}
              className={styles.option}
              onMouseMove={() => listbox.move(index)}
              onClick={() => choose(index)}
              onKeyDown={onKeyDown}
            >
              <Icon size={16} aria-hidden />
              <bdi className={styles.name}>{target.name}</bdi>
              {target.detail === null ? null : <bdi className={styles.detail}>{target.detail}</bdi>}
            </div>
          );
        })}
      </div>
      {found.length === 0 ? (
        <p className={styles.detail} role="status">
          {texts.search.switcherNone}
        </p>
      ) : null}
    </>
  );
}
