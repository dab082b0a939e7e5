import { type ReactNode, useEffect } from "react";
import { invitedWith, useDestination } from "../../session/destination.js";
import { useInstallation } from "../../session/installation.js";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/start-texts.js";
import { lazyPart } from "../../ui/page/lazy-part.js";
import styles from "./login.module.css";

const InvitedLine = lazyPart(async () => (await import("../invite/invite-for-strangers.js")).InvitedLine, {
  // Without it the form is complete.
  missing: () => null,
});

const usual = { name: "Parley", logo_url: null, description: null };

/** The card in the middle of a page without a session. */
export function Frame({ title, children }: { title: string; children: ReactNode }) {
  const code = invitedWith(useDestination().wanted);
  const { name, logo_url: logo, description } = useInstallation(useSession().client) ?? usual;
  useEffect(() => {
    document.title = texts.titles.page(title, name);
  }, [title, name]);
  return (
    <main className={styles.page}>
      <p className={styles.brand}>
        <img src={logo ?? `${import.meta.env.BASE_URL}icon.svg`} alt="" width={36} height={36} />
        {name}
      </p>
      {description === null ? null : <p className={styles.description}>{description}</p>}
      <section className={styles.card} aria-labelledby="login-title">
        <h1 id="login-title" className={styles.title}>
          {title}
        </h1>
        {code === null ? null : <InvitedLine code={code} />}
        {children}
      </section>
    </main>
  );
}
