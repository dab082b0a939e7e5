import { texts } from "../../texts/texts.js";
import { Button } from "../look/button.js";
import styles from "./page-buttons.module.css";

/** Leads through the pages of a long list; pages count from 1. */
export function PageButtons({
  page,
  pages,
  onChange,
}: {
  page: number;
  pages: number;
  onChange: (page: number) => void;
}) {
  if (pages <= 1) return null;
  const labels = texts.administration.pages;
  return (
    <nav className={styles.pages} aria-label={labels.position(page, pages)}>
      <Button kind="quiet" disabled={page <= 1} onClick={() => onChange(page - 1)}>
        {labels.previous}
      </Button>
      <span>{labels.position(page, pages)}</span>
      <Button kind="quiet" disabled={page >= pages} onClick={() => onChange(page + 1)}>
        {labels.next}
      </Button>
    </nav>
  );
}
