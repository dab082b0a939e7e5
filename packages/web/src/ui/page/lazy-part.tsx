import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { texts } from "../../texts/start-texts.js";
import { Button } from "../look/button.js";
import styles from "./lazy-part.module.css";
import { isServerThere, reloadForNewVersion } from "./reload.js";

/** The replacements of a part that is not there. */
interface Fallbacks<Props> {
  /** While its script is loaded. */
  waiting?: (props: Props) => ReactNode;
  /** Around the note that its script could not be loaded. */
  missing?: (props: Props, note: ReactNode) => ReactNode;
}

interface LoadedPart<Props> {
  Part: ComponentType<Props> | null;
  /** Why it is not there; null while it is loaded. */
  missing: "no script" | "no server" | null;
}

/**
 * A part of the page whose script is loaded when it is first shown. A deployment removes the scripts of pages that are
 * open; the page is then reloaded. Where a reload is not possible or does not help, the part shows the error and a
 * button.
 *
 * @param load imports the part
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting, missing }: Fallbacks<Props> = {},
): ComponentType<Props> {
  const store = createStore<LoadedPart<Props>>(() => ({ Part: null, missing: null }));
  let underWay: Promise<void> | null = null;
  const read = (): Promise<void> => {
    underWay ??= tryToLoad(load).then((state) => {
      underWay = null;
      store.setState(state);
    });
    return underWay;
  };
  // biome-ignore lint/correctness/noComponentHookFactories: modules call this once for each part, when they are loaded.
  return function LazyPart(props: Props) {
    const { Part, missing: reason } = useStore(store);
    useEffect(() => {
      // A part that was missing before is tried again where it is shown again.
      if (store.getState().Part === null) void read();
    }, []);
    if (Part !== null) return <Part {...props} />;
    if (reason === null) return waiting?.(props) ?? null;
    const note = <Missing isServerThere={reason === "no script"} retry={read} />;
    return missing?.(props, note) ?? note;
  };
}

async function tryToLoad<Props>(load: () => Promise<ComponentType<Props>>): Promise<LoadedPart<Props>> {
  try {
    return { Part: await load(), missing: null };
  } catch {
    if (!(await isServerThere())) return { Part: null, missing: "no server" };
    if (!reloadForNewVersion()) return { Part: null, missing: "no script" };
    // Shown as loading until the page is left.
    return new Promise(() => undefined);
  }
}

function Missing({ isServerThere: isThere, retry }: { isServerThere: boolean; retry: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false);
  const labels = texts.common;
  const tryAgain = async () => {
    setBusy(true);
    await retry();
    setBusy(false);
  };
  return (
    <div role="alert" className={styles.missing}>
      <p>{isBusy ? `${labels.loading} …` : isThere ? labels.partMissing : labels.unreachable}</p>
      {isThere ? (
        <Button onClick={() => location.reload()}>{labels.loadAgain}</Button>
      ) : (
        // Not disabled meanwhile: it would lose the focus.
        <Button onClick={tryAgain}>{labels.retry}</Button>
      )}
    </div>
  );
}
