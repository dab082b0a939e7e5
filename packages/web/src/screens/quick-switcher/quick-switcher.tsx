import { Hash, MessageCircle, Server } from "lucide-react";
import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { useApp, useAppState } from "../../state/use-app.js";
import { texts } from "../../texts/texts.js";
import { Dialog } from "../../ui/dialog.js";
import { useOpenDialog } from "../actions/open-dialog.js";
import styles from "./quick-switcher.module.css";
import { matchTargets, type Target, targetsOf } from "./targets.js";

const icons = { channel: Hash, server: Server, person: MessageCircle };

/** Dialog to open a channel, server or conversation by a few letters of its name. */
export function QuickSwitcher() {
  const { dialog, close } = useOpenDialog();
  return (
    <Dialog open={dialog?.kind === "switcher"} onOpenChange={close} title={texts.search.switcher}>
      <Choices onChoose={close} />
    </Dialog>
  );
}

function Choices({ onChoose }: { onChoose: () => void }) {
  const [, navigate] = useLocation();
  const listId = useId();
  const targets = useTargets();
  const [typed, setTyped] = useState("");
  const [marked, setMarked] = useState(0);
  const found = matchTargets(targets, typed);
  const choose = (target: Target | undefined) => {
    if (target === undefined) return;
    navigate(target.path);
    onChoose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setMarked((marked + step + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter") choose(found[marked]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        className={styles.input}
        role="combobox"
        aria-label={texts.search.switcherHint}
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={found[marked] === undefined ? undefined : `${listId}-${marked}`}
        placeholder={texts.search.switcherHint}
        value={typed}
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened in order to type.
        autoFocus
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setMarked(0);
        }}
      />
      <div id={listId} role="listbox" aria-label={texts.search.switcher} className={styles.list}>
        {found.map((target, index) => {
          const Icon = icons[target.kind];
          return (
            <div
              key={target.id}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === marked}
              className={styles.option}
              onMouseMove={() => setMarked(index)}
              onClick={() => choose(target)}
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

/** Everything that can be opened. New unread messages do not change the order while the user chooses. */
function useTargets(): Target[] {
  const { store } = useApp();
  const servers = useAppState((state) => state.servers);
  const channels = useAppState((state) => state.channels);
  // biome-ignore lint/correctness/useExhaustiveDependencies: servers and channels are read after the dialog may be open.
  return useMemo(() => targetsOf(store.getState()), [store, servers, channels]);
}
