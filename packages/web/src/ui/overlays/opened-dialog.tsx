import { X } from "lucide-react";
import { Dialog as RadixDialog } from "radix-ui";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import { texts } from "../../texts/texts.js";
import { Button, IconButton } from "../look/button.js";
import { unsavedForms } from "../page/unsaved-forms.js";
import styles from "./dialog.module.css";
import actionStyles from "./dialog-actions.module.css";
import { returnFocus } from "./return-focus.js";

/** A dialog and its content. */
export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  wide?: boolean;
  children: ReactNode;
}

/** A dialog that was open once. Before Escape, its cross or a press beside it throws input away, it asks. */
export function OpenedDialog(props: DialogProps) {
  const { open, onOpenChange } = props;
  const labels = texts.shell.unsaved;
  const content = useRef<HTMLDivElement>(null);
  const [isAsking, ask] = useState(false);
  if (!open && isAsking) ask(false);
  const change = (next: boolean) => {
    if (!next && content.current !== null && unsavedForms(content.current).length > 0) ask(true);
    else onOpenChange(next);
  };
  return (
    <>
      <Frame {...props} content={content} onOpenChange={change} />
      <Frame open={open && isAsking} onOpenChange={ask} title={labels.close} description={labels.explanation}>
        <div className={actionStyles.actions}>
          <Button kind="quiet" onClick={() => ask(false)}>
            {texts.common.cancel}
          </Button>
          <Button kind="danger" data-first-focus onClick={() => onOpenChange(false)}>
            {labels.discard}
          </Button>
        </div>
      </Frame>
    </>
  );
}

function Frame({
  open,
  onOpenChange,
  title,
  description,
  wide = false,
  content,
  children,
}: DialogProps & { content?: RefObject<HTMLDivElement | null> }) {
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={styles.overlay}>
          <RadixDialog.Content
            ref={content}
            className={styles.content}
            data-wide={wide}
            onOpenAutoFocus={focusFirstField}
            onCloseAutoFocus={returnFocus}
            {...(description === undefined ? { "aria-describedby": undefined } : {})}
          >
            <header className={styles.header}>
              <RadixDialog.Title className={styles.title}>{title}</RadixDialog.Title>
              <RadixDialog.Close asChild>
                <IconButton label={texts.common.close}>
                  <X size={18} aria-hidden />
                </IconButton>
              </RadixDialog.Close>
            </header>
            {description === undefined ? null : (
              <RadixDialog.Description className={styles.description}>{description}</RadixDialog.Description>
            )}
            {children}
          </RadixDialog.Content>
        </RadixDialog.Overlay>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/**
 * Focuses the element with `data-first-focus`, else the first field. Without both, Radix focuses the first control,
 * which is the button that closes the dialog.
 */
function focusFirstField(event: Event): void {
  if (!(event.currentTarget instanceof HTMLElement)) return;
  const field =
    event.currentTarget.querySelector<HTMLElement>("[data-first-focus]") ??
    event.currentTarget.querySelector<HTMLElement>(":is(input, select, textarea):enabled");
  if (field === null) return;
  event.preventDefault();
  field.focus();
}
