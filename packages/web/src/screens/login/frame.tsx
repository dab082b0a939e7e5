import type { ReactNode } from "react";
import { texts } from "../../texts/texts.js";
import styles from "./login.module.css";

/** The card in the middle of a page without a session. */
export function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.page}>
      <p className={styles.brand}>
        <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width={36} height={36} />
        {texts.login.brand}
      </p>
      <section className={styles.card} aria-labelledby="login-title">
        <h1 id="login-title" className={styles.title}>
          {title}
        </h1>
        {children}
      </section>
    </main>
  );
}
