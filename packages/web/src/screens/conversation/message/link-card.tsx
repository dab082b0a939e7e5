import type { LinkPreview } from "@parley/client";
import styles from "./link-card.module.css";

/**
 * Preview of a linked page, without its image: to load it, the browser would send the reader's address to a server that
 * the message's author chose.
 */
export function LinkCard({ preview: { url, title, description, site_name } }: { preview: LinkPreview }) {
  if (title === null) return null;
  return (
    <aside className={styles.card}>
      {site_name === null ? null : <bdi className={styles.site}>{site_name}</bdi>}
      <a className={styles.title} href={url} target="_blank" rel="noopener noreferrer nofollow" dir="auto">
        {title}
      </a>
      {description === null ? null : (
        <p className={styles.text} dir="auto">
          {description}
        </p>
      )}
    </aside>
  );
}
