import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { Button } from "../../ui/look/button.js";
import { Markdown } from "../conversation/markdown/markdown.js";
import styles from "./safety.module.css";

/** In place of the composer: the rules of the server, which are to be accepted before one may write. */
export function RulesPanel({ serverId, rules }: { serverId: string; rules: string }) {
  const { safety } = useApp();
  const labels = texts.conversation.rules;
  const accept = useAction(() => safety.acceptRules(serverId));
  return (
    <section className={styles.rules} aria-label={labels.title}>
      <strong>{labels.title}</strong>
      <p className={styles.hint}>{labels.explanation}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long rules scroll, also with the keyboard. */}
      <div className={styles.text} tabIndex={0}>
        <Markdown text={rules} />
      </div>
      <ErrorNote error={accept.error} />
      <Button disabled={accept.isBusy} onClick={() => accept.run()}>
        {labels.accept}
      </Button>
    </section>
  );
}
