import { useAppState } from "../../../state/app/use-app.js";
import { texts } from "../../../texts/texts.js";
import { useMemberName } from "../../profile/use-member-name.js";
import { useConversation } from "../context.js";
import styles from "./typing-line.module.css";

/** The users who are typing. */
export function TypingLine({ placeId }: { placeId: string }) {
  const typists = useAppState((state) => state.typing[placeId]);
  const [first, second, third] = typists ?? [];
  const labels = texts.conversation;
  const { serverId } = useConversation();
  const names = [useMemberName(first, serverId), useMemberName(second, serverId)] as const;
  const text =
    first === undefined
      ? null
      : third !== undefined
        ? labels.typingMany
        : second === undefined
          ? labels.typingOne(names[0])
          : labels.typingTwo(...names);
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
