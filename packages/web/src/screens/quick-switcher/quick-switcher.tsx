import { Hash, MessageCircle, Server } from "lucide-react";
import { type KeyboardEvent, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { useListbox } from "../../ui/forms/use-listbox.js";
import { Dialog } from "../../ui/overlays/dialog.js";
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
  const targets = useTargets();
  const [typed, setTyped] = useState("");
  const found = matchTargets(targets, typed);
  const choose = (index: number) => {
    const target = found[index];
    if (target === undefined) return;
    navigate(target.path);
    onChoose();
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
        aria-label={texts.search.switcherHint}
        aria-expanded={found.length > 0}
        {...listbox.field}
        placeholder={texts.search.switcherHint}
        value={typed}
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened in order to type.
        autoFocus
        onKeyDown={onKeyDown}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <div {...listbox.list} role="listbox" aria-label={texts.search.switcher} className={styles.list}>
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

/** Everything that can be opened. New unread messages do not change the order while the user chooses. */
function useTargets(): Target[] {
  const { store } = useApp();
  const servers = useAppState((state) => state.servers);
  const channels = useAppState((state) => state.channels);
  // biome-ignore lint/correctness/useExhaustiveDependencies: servers and channels are read after the dialog may be open.
  return useMemo(() => targetsOf(store.getState()), [store, servers, channels]);
}
