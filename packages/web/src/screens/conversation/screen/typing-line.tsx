import { useAppState } from "../../../state/use-app.js";
import { texts } from "../../../texts/texts.js";
import styles from "./typing-line.module.css";

/** The users who are typing. */
export function TypingLine({ placeId }: { placeId: string }) {
  const typists = useAppState((state) => state.typing[placeId]);
  const [first, second, third] = typists ?? [];
  const labels = texts.conversation;
  const text =
    first === undefined
      ? null
      : third !== undefined
        ? labels.typingMany
        : second === undefined
          ? labels.typingOne(first.username)
          : labels.typingTwo(first.username, second.username);
  return (
    <p className={styles.line} role="status">
      {text === null ? null : (
        <>
          <span className={styles.dots} aria-hidden>
            <span />
            <span />
            <span />
          </span>
          <span>{text}</span>
        </>
      )}
    </p>
  );
}
