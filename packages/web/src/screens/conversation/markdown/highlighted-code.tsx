import { useEffect, useState } from "react";
import type { CodeToken } from "./code-tokens.js";
import { highlight } from "./highlight.js";
import styles from "./highlighted-code.module.css";

/** Code in the colours of its language; without them until it is highlighted, and where that is not possible. */
export function HighlightedCode({ language, code }: { language: string; code: string }) {
  const [tokens, setTokens] = useState<readonly CodeToken[] | null>(null);
  useEffect(() => {
    let isShown = true;
    void highlight({ language, code }).then((found) => isShown && setTokens(found));
    return () => {
      isShown = false;
      setTokens(null);
    };
  }, [language, code]);
  return (
    <code className={styles.code} dir="ltr">
      {tokens?.map(({ kind, text }, index) =>
        kind === null ? (
          text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a code stay where they are.
          <span key={index} data-kind={kind}>
            {text}
          </span>
        ),
      ) ?? code}
    </code>
  );
}
