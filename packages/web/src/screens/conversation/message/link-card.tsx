import { useEffect } from "react";
import { useApp, useAppState } from "../../../state/use-app.js";
import styles from "./link-card.module.css";

/** A preview is requested after the link was displayed for this time, so not during fast scrolling. */
const restMs = 300;

/**
 * Preview of a linked page, without its image: to load it, the browser would send the reader's address to a server that
 * the message's author chose.
 */
export function LinkCard({ url }: { url: string }) {
  const { details } = useApp();
  const preview = useAppState((state) => state.previews[url]);
  useEffect(() => {
    if (preview !== undefined) return;
    const timer = setTimeout(() => void details.readPreview(url).catch(() => undefined), restMs);
    return () => clearTimeout(timer);
  }, [details, url, preview]);
  if (!preview || preview.title === null) return null;
  return (
    <aside className={styles.card}>
      {preview.site_name === null ? null : <bdi className={styles.site}>{preview.site_name}</bdi>}
      <a className={styles.title} href={url} target="_blank" rel="noopener noreferrer nofollow" dir="auto">
        {preview.title}
      </a>
      {preview.description === null ? null : (
        <p className={styles.text} dir="auto">
          {preview.description}
        </p>
      )}
    </aside>
  );
}
