import { type ComponentType, lazy } from "react";
import { reloadForNewVersion } from "../session/reload.js";
import { texts } from "../texts/texts.js";
import { Button } from "./button.js";
import styles from "./lazy-part.module.css";

/**
 * A part of the page whose script is loaded when it is first shown. A deployment under an open page takes the old script
 * away: then the page loads itself again; where it must not, the part says so.
 *
 * @param load the import of the part
 */
export const lazyPart = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    try {
      return await load();
    } catch {
      if (!(await reloadForNewVersion())) return { default: Missing };
      // Shown as loading until the page is left.
      return new Promise(() => undefined);
    }
  });

function Missing() {
  return (
    <div role="alert" className={styles.missing}>
      <p>{texts.common.partMissing}</p>
      <Button onClick={() => location.reload()}>{texts.common.loadAgain}</Button>
    </div>
  );
}
