import { Dialog as RadixDialog } from "radix-ui";
import type { ReactNode } from "react";
import styles from "./drawer.module.css";
import { returnFocus } from "./return-focus.js";

/** A panel that slides in from a side of a narrow screen. */
export function Drawer({
  open,
  onOpenChange,
  side,
  title,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  side: "start" | "end";
  title: string;
  children: ReactNode;
}) {
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={styles.overlay} />
        <RadixDialog.Content
          className={styles.content}
          data-side={side}
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
        >
          <RadixDialog.Title className="visually-hidden">{title}</RadixDialog.Title>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
