import { useState } from "react";
import { texts } from "../../../texts/texts.js";
import { Markdown } from "../markdown/markdown.js";
import styles from "./long-text.module.css";

/** Texts with more lines are folded at first. */
const linesMax = 28;
/** So are texts with more characters, which may be one paragraph. */
const charactersMax = 2_000;

/** The text of a message; a long one is folded. */
export function LongText({ text }: { text: string }) {
  const labels = texts.conversation;
  const [isWhole, setWhole] = useState(false);
  const lines = text.split("\n").length;
  const hasManyLines = lines > linesMax;
  if (!hasManyLines && text.length <= charactersMax) return <Markdown text={text} />;
  return (
    <>
      <div className={isWhole ? undefined : styles.folded}>
        <Markdown text={text} />
      </div>
      <button type="button" className={styles.toggle} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? labels.showLess : hasManyLines ? labels.showAll(lines) : labels.showWhole}
      </button>
    </>
  );
}
