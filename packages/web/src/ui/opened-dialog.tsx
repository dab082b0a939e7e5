import { X } from "lucide-react";
import { Dialog as RadixDialog } from "radix-ui";
import type { ReactNode } from "react";
import { texts } from "../texts/texts.js";
import { IconButton } from "./button.js";
import styles from "./dialog.module.css";
import { returnFocus } from "./return-focus.js";

/** A dialog and what is in it. */
export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  wide?: boolean;
  children: ReactNode;
}

/** A dialog that was open once. */
export function OpenedDialog({ open, onOpenChange, title, description, wide = false, children }: DialogProps) {
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={styles.overlay}>
          <RadixDialog.Content
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
 * Focuses what is marked with `data-first-focus`, else the first field. Without both, Radix focuses the first control,
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
