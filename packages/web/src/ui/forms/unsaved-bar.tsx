import { type RefObject, useCallback, useEffect, useState } from "react";
import { texts } from "../../texts/texts.js";
import { Button } from "../look/button.js";
import { ConfirmDialog } from "../overlays/confirm.js";
import { askBeforeLeaving } from "../page/reload.js";
import { unsavedForms } from "../page/unsaved-forms.js";
import { guardLeaving } from "./leave-guard.js";
import styles from "./settings-page.module.css";

/** Says that something in a part of the page is not saved, and asks before it is left. */
export function UnsavedBar({ part }: { part: RefObject<HTMLElement | null> }) {
  const labels = texts.shell.unsaved;
  const forms = useUnsavedForms(part);
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const isUnsaved = forms.length > 0;
  useEffect(() => {
    if (!isUnsaved) return;
    const stopAsking = askBeforeLeaving();
    const release = guardLeaving((go) => {
      // Fields that were saved a moment ago still count as unsaved before the next frame.
      if (part.current !== null && unsavedForms(part.current).length > 0) return setLeave(() => go);
      release();
      go();
    });
    return () => {
      stopAsking();
      release();
    };
  }, [isUnsaved, part]);
  const discard = () => {
    for (const one of forms) one.reset();
  };
  return (
    <>
      <div role="status" className={styles.unsaved} data-shown={isUnsaved}>
        {isUnsaved ? (
          <>
            <span>{labels.bar}</span>
            <Button kind="quiet" onClick={discard}>
              {labels.discard}
            </Button>
          </>
        ) : null}
      </div>
      <ConfirmDialog
        open={leave !== null}
        onOpenChange={() => setLeave(null)}
        title={labels.title}
        explanation={labels.explanation}
        confirmLabel={labels.leave}
        onConfirm={async () => {
          discard();
          // Once nothing is unsaved any more, nothing asks.
          await new Promise(requestAnimationFrame);
          leave?.();
        }}
      />
    </>
  );
}

const none: readonly HTMLFormElement[] = [];

function useUnsavedForms(part: RefObject<HTMLElement | null>): readonly HTMLFormElement[] {
  const [forms, setForms] = useState(none);
  const look = useCallback(() => {
    const found = part.current === null ? none : unsavedForms(part.current);
    setForms((known) => (found.length === known.length && found.every((one, at) => one === known[at]) ? known : found));
  }, [part]);
  useEffect(() => {
    const root = part.current;
    if (root === null) return;
    // A form is reset after its event, and a saved one gets other initial values.
    const lookSoon = () => requestAnimationFrame(look);
    const observer = new MutationObserver(lookSoon);
    observer.observe(root, { subtree: true, childList: true, characterData: true, attributeFilter: fieldAttributes });
    for (const event of ["input", "change", "reset"]) root.addEventListener(event, lookSoon);
    return () => {
      observer.disconnect();
      for (const event of ["input", "change", "reset"]) root.removeEventListener(event, lookSoon);
    };
  }, [part, look]);
  return forms;
}

const fieldAttributes = ["value", "checked", "data-initial", "disabled"];
