import { texts } from "../../../texts/texts.js";
import { isCustom, pickedOf, useCustomEmojis } from "../../emoji/custom-emojis.js";
import { atHand } from "../../emoji/emoji-settings.js";
import { useEmojiSettings } from "../../emoji/use-emoji-settings.js";
import { useConversation } from "../context.js";
import styles from "./quick-reactions.module.css";

/** Buttons that react with the emoji that one uses most. */
export function QuickReactions({ count: shown, onPick }: { count: number; onPick: (reaction: string) => void }) {
  const { serverId } = useConversation();
  const custom = useCustomEmojis(serverId);
  const { tone, uses, count } = useEmojiSettings();
  const customOf = (sign: string) => custom.find((emoji) => emoji.sign === sign);
  return atHand(uses, shown, (sign) => !isCustom(sign) || customOf(sign) !== undefined).map((sign) => {
    const own = customOf(sign);
    const { text, reaction } = pickedOf({ sign, name: own?.name ?? sign }, tone);
    const label = texts.conversation.reactWith(text);
    return (
      <button
        key={sign}
        type="button"
        className={styles.reaction}
        aria-label={label}
        title={label}
        onClick={() => {
          count(sign);
          onPick(reaction);
        }}
      >
        {own?.imageUrl == null ? text : <img className={styles.image} src={own.imageUrl} alt="" />}
      </button>
    );
  });
}
