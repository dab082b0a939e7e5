import type { ReactNode } from "react";
import { texts } from "../../texts/start-texts.js";
import { Button } from "../look/button.js";
import styles from "./async-content.module.css";
import { explain } from "./explain.js";
import { Skeleton, type SkeletonShape } from "./skeleton.js";
import type { Data } from "./use-data.js";

/** The data, or that they are loading, or why they could not be read. */
export function AsyncContent<Value>({
  data,
  shape = "form",
  children,
}: {
  data: Pick<Data<Value>, "value" | "error" | "reload">;
  /** The kind of content, for the shapes in its place meanwhile. */
  shape?: SkeletonShape;
  children: (value: Value) => ReactNode;
}) {
  if (data.value !== null) return children(data.value);
  if (data.error === null) return <Skeleton shape={shape} />;
  return (
    <div className={styles.note} role="alert">
      <p>{explain(data.error)}</p>
      <Button kind="quiet" onClick={data.reload}>
        {texts.common.retry}
      </Button>
    </div>
  );
}

/** The note in the place of an empty list. */
export function Empty({ children }: { children: ReactNode }) {
  return (
    <p className={styles.note} data-empty>
      {children}
    </p>
  );
}

/** The failure of the last attempt. */
export function ErrorNote({ error }: { error: ReactNode }) {
  return error === null ? null : (
    <p role="alert" className={styles.error}>
      {error}
    </p>
  );
}
