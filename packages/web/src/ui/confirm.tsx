import { type ReactNode, useState } from "react";
import { texts } from "../texts/texts.js";
import { ErrorNote } from "./async-content.js";
import { Button } from "./button.js";
import { Actions, Dialog } from "./dialog.js";
import { useAction } from "./use-action.js";

/** A button whose action asks once more before it happens. */
export function ConfirmButton({
  label,
  title,
  explanation,
  confirmLabel = label,
  onConfirm,
  children,
  isReady = true,
}: {
  label: string;
  title: string;
  explanation: string;
  confirmLabel?: string;
  onConfirm: () => Promise<unknown>;
  /** Fields above the buttons. */
  children?: ReactNode;
  /** Whether what they ask for is there. */
  isReady?: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const action = useAction(onConfirm);
  const change = (open: boolean) => {
    action.clear();
    setOpen(open);
  };
  return (
    <>
      <Button kind="ask" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog open={isOpen} onOpenChange={change} title={title} description={explanation}>
        {children}
        <ErrorNote error={action.error} />
        <Actions>
          <Button kind="quiet" onClick={() => change(false)}>
            {texts.common.cancel}
          </Button>
          <Button
            kind="danger"
            disabled={action.isBusy || !isReady}
            onClick={async () => {
              if (await action.run()) setOpen(false);
            }}
          >
            {confirmLabel}
          </Button>
        </Actions>
      </Dialog>
    </>
  );
}
