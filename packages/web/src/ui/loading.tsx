import { useEffect, useState } from "react";
import { texts } from "../texts/texts.js";
import styles from "./loading.module.css";

/** What takes longer than this many milliseconds is said to be loading; what comes sooner does not flicker. */
const patienceMs = 300;

/** Stands where something is being loaded. It takes its room from the beginning, so that its text moves nothing. */
export function Loading() {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  // Screen readers announce what is put into a live region that was there before.
  return (
    <p className={styles.loading} aria-live="polite">
      {isLong ? `${texts.common.loading} …` : null}
    </p>
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
