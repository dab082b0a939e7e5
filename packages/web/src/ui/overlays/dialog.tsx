import type { ReactNode } from "react";
import { lazyPart } from "../page/lazy-part.js";
import styles from "./dialog-actions.module.css";
import type { DialogProps } from "./opened-dialog.js";
import { useWasOpen } from "./use-was-open.js";

const OpenedDialog = lazyPart<DialogProps>(async () => (await import("./overlays.js")).OpenedDialog);

/** A window above the page; Escape and a press beside it close it. */
export function Dialog(props: DialogProps) {
  return useWasOpen(props.open) ? <OpenedDialog {...props} /> : null;
}

/** The buttons at the end of a dialog or form. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
