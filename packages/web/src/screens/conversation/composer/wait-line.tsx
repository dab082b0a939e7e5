import { texts } from "../../../texts/texts.js";
import { showDuration } from "../../../ui/look/show.js";
import styles from "./composer.module.css";

/** Says how long the user waits in a slow channel; nothing for 0 s. */
export function WaitLine({ seconds }: { seconds: number }) {
  return seconds === 0 ? null : (
    <p className={styles.wait} role="timer">
      {texts.conversation.slowMode(showDuration(seconds))}
    </p>
  );
}
