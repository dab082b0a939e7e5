import type { SentMessage } from "@parley/client";
import type { ReactNode } from "react";
import { sentSince } from "../../../state/message-events.js";
import { useApp } from "../../../state/use-app.js";
import { ErrorNote } from "../../../ui/async-content.js";
import { Button } from "../../../ui/button.js";
import { Actions, Dialog } from "../../../ui/dialog.js";
import { onForm } from "../../../ui/form.js";
import { useAction } from "../../../ui/use-action.js";

/** A dialog with a form that sends a message. */
export function SendDialog({
  title,
  submit,
  send,
  onClose,
  children,
}: {
  title: string;
  /** Label of the submit button. */
  submit: string;
  send: (form: FormData) => Promise<SentMessage>;
  onClose: () => void;
  children: ReactNode;
}) {
  const { store } = useApp();
  const sending = useAction(async (form: FormData) => {
    await store.change(() => send(form), sentSince);
    onClose();
  });
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <form onSubmit={onForm(sending.run)}>
        {children}
        <ErrorNote error={sending.error} />
        <Actions>
          <Button type="submit" disabled={sending.isBusy}>
            {submit}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
