import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useFirstSteps } from "../../state/community/first-steps.js";
import { texts } from "../../texts/texts.js";
import { IconButton } from "../../ui/look/button.js";
import styles from "./first-steps.module.css";

/** The card around the steps. */
export function StepsCard({
  serverId,
  title,
  text,
  children,
}: {
  serverId: string;
  title: string;
  text: string;
  children: ReactNode;
}) {
  const end = useFirstSteps((steps) => steps.end);
  return (
    <section className={styles.card} aria-label={title}>
      <h2 className={styles.title}>
        <bdi>{title}</bdi>
      </h2>
      <IconButton label={texts.shell.firstSteps.dismiss} className={styles.close} onClick={() => end(serverId)}>
        <X size={18} aria-hidden />
      </IconButton>
      <p className={styles.text}>{text}</p>
      {children}
    </section>
  );
}

/** Puts the caret where the first message is written. */
export const toComposer = (): void => document.querySelector<HTMLElement>("main textarea")?.focus();
