import type { ReactNode } from "react";
import { Loading } from "../data/loading.js";
import styles from "./settings-page.module.css";

/** The columns of settings around what stands in the place of their sections. */
export function SettingsFrame({ children = <Loading /> }: { children?: ReactNode }) {
  return (
    <div className={styles.page}>
      <div className={styles.nav} />
      <main className={styles.main}>{children}</main>
    </div>
  );
}
