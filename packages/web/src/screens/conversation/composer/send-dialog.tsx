import type { SentMessage } from "@parley/client";
import type { ReactNode } from "react";
import { useApp } from "../../../state/app/use-app.js";
import { sentSince } from "../../../state/conversations/message-events.js";
import { ErrorNote } from "../../../ui/data/async-content.js";
import { onForm } from "../../../ui/data/form.js";
import { useAction } from "../../../ui/data/use-action.js";
import { Button } from "../../../ui/look/button.js";
import { Actions, Dialog } from "../../../ui/overlays/dialog.js";
import styles from "./composer.module.css";
import { useSlowMode } from "./use-slow-mode.js";
import { WaitLine } from "./wait-line.js";

/** Properties of the dialogs that send a message to a channel. */
export interface CreationProps {
  channelId: string;
  /** Why the user cannot write in the channel; null when they can. */
  readOnlyReason: string | null;
  onClose: () => void;
}

/** A dialog with a form that sends a message, once the user may write in the channel. */
export function SendDialog({
  title,
  submit,
  send,
  readOnlyReason,
  onClose,
  children,
}: Omit<CreationProps, "channelId"> & {
  title: string;
  /** Label of the submit button. */
  submit: string;
  send: (form: FormData) => Promise<SentMessage>;
  children: ReactNode;
}) {
  const { store } = useApp();
  const { waitSeconds, isHeld } = useSlowMode();
  const sending = useAction(async (form: FormData) => {
    await store.change(() => send(form), sentSince);
    onClose();
  });
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <form onSubmit={onForm(sending.run)}>
        {children}
        <ErrorNote error={sending.error} />
        {readOnlyReason === null ? (
          <WaitLine seconds={waitSeconds} />
        ) : (
          <p className={styles.wait} role="status">
            {readOnlyReason}
          </p>
        )}
        <Actions>
          <Button type="submit" disabled={sending.isBusy || isHeld || readOnlyReason !== null}>
            {submit}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
