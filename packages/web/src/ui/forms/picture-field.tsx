import { pictureTypes } from "@parley/contracts";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../data/async-content.js";
import { useAction } from "../data/use-action.js";
import { Avatar } from "../look/avatar.js";
import { Button } from "../look/button.js";
import styles from "./picture-field.module.css";
import { useDrop } from "./use-drop.js";

/** Edge of the picture, in CSS pixels. */
const shownSize = 96;

/**
 * The picture of a person, a server or a bot: another one is chosen or dropped, looked at as it will be shown, and then
 * used; or the picture is removed.
 */
export function PictureField({
  name,
  url,
  serverId,
  hint = texts.picture.hint,
  show = (shown) => (
    <Avatar name={name} url={shown} size={shownSize} {...(serverId === undefined ? {} : { serverId })} />
  ),
  onUse,
  onRemove,
}: {
  name: string;
  url: string | null;
  /** Set for the picture of a server. */
  serverId?: string;
  /** Which pictures fit. */
  hint?: string;
  /** Shows the picture; as that of a person or server otherwise. */
  show?: (url: string | null) => ReactNode;
  /** Sends the form with the picture. */
  onUse: (form: FormData) => Promise<unknown>;
  onRemove: () => Promise<unknown>;
}) {
  const labels = texts.picture;
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<File | null>(null);
  const [isSaved, setSaved] = useState(false);
  const preview = useObjectUrl(chosen);
  const choose = (file: File | undefined) => {
    action.clear();
    setSaved(false);
    setChosen(file ?? null);
  };
  const action = useAction(async (send: () => Promise<unknown>) => {
    await send();
    setChosen(null);
    setSaved(true);
  });
  const { isDropping, handlers } = useDrop(!action.isBusy, ([file]) => choose(file));
  const use = (file: File) => {
    const form = new FormData();
    form.append("image", file);
    return onUse(form);
  };
  return (
    <div className={styles.field} data-dropping={isDropping} {...handlers}>
      {show(preview ?? url)}
      <div className={styles.choice}>
        <p className={styles.hint}>{chosen === null ? hint : labels.preview}</p>
        <input
          ref={input}
          className="visually-hidden"
          type="file"
          tabIndex={-1}
          aria-label={labels.label}
          accept={pictureTypes.join(",")}
          onChange={({ currentTarget }) => {
            choose(currentTarget.files?.[0]);
            // The same file can be chosen again.
            currentTarget.value = "";
          }}
        />
        <ErrorNote error={action.error} />
        <div className={styles.buttons}>
          {chosen === null ? (
            <>
              <Button kind="quiet" disabled={action.isBusy} onClick={() => input.current?.click()}>
                {labels.choose}
              </Button>
              {url === null ? null : (
                <Button kind="quiet" disabled={action.isBusy} onClick={() => action.run(onRemove)}>
                  {labels.remove}
                </Button>
              )}
            </>
          ) : (
            <>
              <Button disabled={action.isBusy} onClick={() => action.run(() => use(chosen))}>
                {labels.use}
              </Button>
              <Button kind="quiet" disabled={action.isBusy} onClick={() => choose(undefined)}>
                {texts.common.cancel}
              </Button>
            </>
          )}
          <output>{isSaved ? labels.saved : ""}</output>
        </div>
      </div>
    </div>
  );
}

/** An address of a file's bytes, as long as it is shown. */
function useObjectUrl(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (file === null) return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => {
      setUrl(null);
      URL.revokeObjectURL(made);
    };
  }, [file]);
  return url;
}
