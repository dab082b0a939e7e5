import { type ComponentProps, useState } from "react";
import { texts } from "../../texts/start-texts.js";
import { IconButton } from "../look/button.js";
import styles from "./field.module.css";

/** The input of a password, with a button that shows the typed text. */
export function PasswordInput({ className, ...props }: ComponentProps<"input">) {
  const [isShown, setShown] = useState(false);
  return (
    <div className={styles.password}>
      <input
        {...props}
        type={isShown ? "text" : "password"}
        className={className}
        // A shown password is still one for the keyboard and the spelling service of the browser.
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <IconButton
        label={texts.common.showTyped}
        className={styles.eye}
        aria-pressed={isShown}
        aria-controls={props.id}
        onClick={() => setShown((before) => !before)}
      >
        <EyeIcon isCrossed={isShown} />
      </IconButton>
    </div>
  );
}

/** Drawn here: for one icon the login would load the part that all icons of the library share. */
function EyeIcon({ isCrossed }: { isCrossed: boolean }) {
  return (
    <svg width={18} height={18} viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth={2} aria-hidden>
      <path d="M2 12q4-7 10-7t10 7q-4 7-10 7T2 12z" />
      <circle cx={12} cy={12} r={3} />
      {isCrossed ? <path d="M4 3l16 18" /> : null}
    </svg>
  );
}
