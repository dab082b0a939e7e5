import type { ReactNode } from "react";
import { errorText } from "../../texts/error-text.js";
import { texts } from "../../texts/start-texts.js";
import { Button } from "../look/button.js";
import styles from "./async-content.module.css";
import { Skeleton, type SkeletonShape } from "./skeleton.js";
import type { Data } from "./use-data.js";

/** What was read, or that it is being read, or why it could not be. */
export function AsyncContent<Value>({
  data,
  shape = "form",
  children,
}: {
  data: Pick<Data<Value>, "value" | "error" | "reload">;
  /** What comes, for the shapes that stand in its place meanwhile. */
  shape?: SkeletonShape;
  children: (value: Value) => ReactNode;
}) {
  if (data.value !== null) return children(data.value);
  if (data.error === null) return <Skeleton shape={shape} />;
  return (
    <div className={styles.note} role="alert">
      <p>{errorText(data.error)}</p>
      <Button kind="quiet" onClick={data.reload}>
        {texts.common.retry}
      </Button>
    </div>
  );
}

/** What stands where a list has nothing. */
export function Empty({ children }: { children: ReactNode }) {
  return (
    <p className={styles.note} data-empty>
      {children}
    </p>
  );
}

/** What went wrong with the last attempt. */
export function ErrorNote({ error }: { error: string | null }) {
  return error === null ? null : (
    <p role="alert" className={styles.error}>
      {error}
    </p>
  );
}
