import type { StorageUse } from "@parley/client";
import { texts } from "../../texts/texts.js";
import { showStorage } from "../../ui/look/show.js";
import styles from "./storage-bar.module.css";

/** How much room files take, as words and, where there is a quota, as a bar. */
export function StorageBar({ use: { used, quota, files } }: { use: StorageUse }) {
  const labels = texts.account.storage;
  const size = showStorage(used);
  return (
    <div className={styles.storage}>
      <p>{quota === null ? labels.used(size, files) : labels.usedOf(size, showStorage(quota), files)}</p>
      {quota === null ? null : (
        <meter
          className={styles.bar}
          aria-label={labels.title}
          min={0}
          max={Math.max(1, quota)}
          // Above this the browser colours it as a warning.
          high={quota * 0.9}
          optimum={0}
          value={used}
        />
      )}
    </div>
  );
}
