import { type ReactNode, useState } from "react";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../data/async-content.js";
import { onForm } from "../data/form.js";
import { useAction } from "../data/use-action.js";
import { Button } from "../look/button.js";
import { Actions, Dialog } from "./dialog.js";

/** A question, and the action after a yes. */
export interface Question {
  title: string;
  explanation: string;
  /** @param form has the fields of `children` */
  onConfirm: (form: FormData) => Promise<unknown>;
  /** Fields above the buttons. */
  children?: ReactNode;
  /** Whether the fields are complete. */
  isReady?: boolean;
}

/** A button whose action asks once more before it happens, because it cannot be undone. */
export function ConfirmButton({ label, ...question }: Question & { label: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="ask" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <ConfirmDialog open={isOpen} onOpenChange={setOpen} confirmLabel={label} {...question} />
    </>
  );
}

/** Asks before something happens; in red if it cannot be taken back. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  explanation,
  confirmLabel,
  onConfirm,
  children,
  isReady = true,
  tone = "danger",
}: Question & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Text of the button that confirms. */
  confirmLabel: string;
  tone?: "plain" | "danger";
}) {
  const action = useAction(onConfirm);
  const change = (isOpen: boolean) => {
    action.clear();
    onOpenChange(isOpen);
  };
  return (
    <Dialog open={open} onOpenChange={change} title={title} description={explanation}>
      <form
        onSubmit={onForm(async (form) => {
          if (await action.run(form)) onOpenChange(false);
        })}
      >
        {children}
        <ErrorNote error={action.error} />
        <Actions>
          <Button kind="quiet" onClick={() => change(false)}>
            {texts.common.cancel}
          </Button>
          <Button
            type="submit"
            kind={tone === "danger" ? "danger" : "primary"}
            disabled={action.isBusy || !isReady}
            // Fields come first where there are some; Enter in one of them confirms, too.
            data-first-focus={children === undefined ? true : undefined}
          >
            {confirmLabel}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
