import type { ReactNode } from "react";
import styles from "./login.module.css";

/** The card in the middle of a page without a session. */
export function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.page}>
      <section className={styles.card} aria-labelledby="login-title">
        <h1 id="login-title" className={styles.title}>
          {title}
        </h1>
        {children}
      </section>
    </main>
  );
}
