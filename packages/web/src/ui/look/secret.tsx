import { useState } from "react";
import { texts } from "../../texts/texts.js";
import { Button } from "./button.js";
import styles from "./secret.module.css";

/** A text that is shown once, to be copied. */
export function Secret({ label, hint, value }: { label: string; hint?: string; value: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <div className={styles.secret}>
      <strong>{label}</strong>
      {hint === undefined ? null : <p>{hint}</p>}
      <pre className={styles.value}>{value}</pre>
      <Button
        kind="quiet"
        onClick={async () => {
          await navigator.clipboard.writeText(value);
          setCopied(true);
        }}
      >
        {isCopied ? texts.shell.copied : texts.shell.copy}
      </Button>
    </div>
  );
}
