import { type ReactNode, useEffect, useState } from "react";
import { texts } from "../../texts/start-texts.js";
import styles from "./loading.module.css";

/** Content that takes longer than this many milliseconds shows that it is loading; quicker content does not flicker. */
const patienceMs = 300;

/**
 * Stands in the place of content that is loading: shapes of the content, or a line of text. Both take their room from
 * the beginning, so that they move nothing when they become visible.
 */
export function Loading({ children }: { children?: ReactNode }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  const hasShapes = children !== undefined;
  return (
    <div className={styles.place} data-loading>
      {/* Screen readers announce text in a live region that was there before and is not busy itself. */}
      <p className={hasShapes ? "visually-hidden" : styles.text} aria-live="polite">
        {isLong ? `${texts.common.loading} …` : null}
      </p>
      {hasShapes ? (
        <div className={styles.shapes} data-shown={isLong} aria-busy="true">
          {children}
        </div>
      ) : null}
    </div>
  );
}

/** A page that has nothing to show yet. */
export function LoadingPage() {
  return (
    <main className={styles.page}>
      <Loading />
    </main>
  );
}
