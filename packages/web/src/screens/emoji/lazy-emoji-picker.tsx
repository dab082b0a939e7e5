import type { ComponentType } from "react";
import type { Language } from "../../texts/languages.js";
import { Loading } from "../../ui/data/loading.js";
import { useLanguage } from "../../ui/look/use-language.js";
import { lazyPart } from "../../ui/page/lazy-part.js";
import type { EmojiPickerProps } from "./emoji-picker.js";
import styles from "./lazy-emoji-picker.module.css";
import { loadEmojis } from "./load-emojis.js";

const waiting = () => (
  <div className={styles.waiting}>
    <Loading />
  </div>
);

const pickerIn = (language: Language) =>
  lazyPart<EmojiPickerProps>(
    async () => {
      const [{ EmojiPicker }, emojis] = await Promise.all([import("./emoji-picker.js"), loadEmojis(language)]);
      return (props) => <EmojiPicker {...props} emojis={emojis} />;
    },
    { waiting, missing: (_, note) => <div className={styles.waiting}>{note}</div> },
  );

const pickers: Readonly<Record<Language, ComponentType<EmojiPickerProps>>> = {
  en: pickerIn("en"),
  de: pickerIn("de"),
  ar: pickerIn("ar"),
};

/** The choice of emoji, which is loaded, with the names in the language in use, when it is first shown. */
export function EmojiPicker(props: EmojiPickerProps) {
  const Picker = pickers[useLanguage()];
  return <Picker {...props} />;
}
