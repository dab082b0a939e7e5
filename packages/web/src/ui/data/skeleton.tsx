import { Loading } from "./loading.js";
import styles from "./skeleton.module.css";

/** The kind of content that is loading: the shapes have its measures. */
export type SkeletonShape = "rows" | "form" | "messages" | "members" | "channels" | "cards" | "profile";

/** How many of each are shown: a list fills its place and cuts off the rest. */
const counts: Record<SkeletonShape, number> = {
  rows: 3,
  form: 3,
  messages: 14,
  members: 12,
  channels: 8,
  cards: 6,
  profile: 1,
};
/** Shares of the width, in turn, so that the lines look like texts. */
const widths = [42, 68, 30, 55, 76, 38, 62];

/** Grey shapes of content that is loading, shown when that takes long. */
export function Skeleton({ shape }: { shape: SkeletonShape }) {
  return (
    <Loading>
      <div className={styles.shapes} data-shape={shape}>
        {Array.from({ length: counts[shape] }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the shapes do not change.
          <div key={index} className={styles.item}>
            <span className={styles.picture} />
            <span className={styles.lines}>
              <span
                className={styles.line}
                style={{ "--width": `${(widths[(index * 2) % widths.length] ?? 50) / 2}%` }}
              />
              <span className={styles.line} style={{ "--width": `${widths[index % widths.length] ?? 50}%` }} />
            </span>
          </div>
        ))}
      </div>
    </Loading>
  );
}

/** Messages that are loading, with the field below them, before the page knows whether the user may use it. */
export function SkeletonConversation() {
  return (
    <>
      <Skeleton shape="messages" />
      <div className={styles.composer} aria-hidden />
    </>
  );
}
