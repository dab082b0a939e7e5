import { isBotName } from "../../state/people/bot-name.js";
import { texts } from "../../texts/texts.js";
import styles from "./bot-tag.module.css";

/** Marks the name of a bot; nothing beside those of people and of accounts that are not known yet. */
export function BotTag({ username }: { username: string | undefined }) {
  if (username === undefined || !isBotName(username)) return null;
  return <span className={styles.tag}>{texts.shell.bot}</span>;
}
