import { usePageState } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";
import styles from "./typing-line.module.css";

/** The users who are typing. */
export function TypingLine({ placeId }: { placeId: string }) {
  const typists = usePageState((state) => state.typing[placeId]);
  const [first, second, third] = typists ?? [];
  const names = texts.conversation;
  const text =
    first === undefined
      ? null
      : third !== undefined
        ? names.typingMany
        : second === undefined
          ? names.typingOne(first.username)
          : names.typingTwo(first.username, second.username);
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
