import styles from "./badge.module.css";

/** A highlighted number; `label` is its accessible name. */
export function Badge({ count, label }: { count: number; label: string }) {
  return count === 0 ? null : (
    <span className={styles.badge}>
      <span aria-hidden>{count > 99 ? "99+" : count}</span>
      <span className="visually-hidden">{label}</span>
    </span>
  );
}
