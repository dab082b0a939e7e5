import type { ReactNode } from "react";
import { Loading } from "../data/loading.js";
import styles from "./settings-page.module.css";

/** The columns of settings around their sections, or around their placeholder. */
export function SettingsFrame({ children = <Loading /> }: { children?: ReactNode }) {
  return (
    <div className={styles.page}>
      <div className={styles.nav} />
      <main className={styles.main}>{children}</main>
    </div>
  );
}
