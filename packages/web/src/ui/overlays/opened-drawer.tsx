import { Dialog as RadixDialog } from "radix-ui";
import { type ReactNode, type TouchEvent, useCallback, useEffect } from "react";
import { DrawerContext } from "./close-drawer.js";
import styles from "./drawer.module.css";
import { returnFocus } from "./return-focus.js";
import { followSwipe, forgetSwipe } from "./swipe.js";

/** A drawer and its content. */
export interface DrawerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  side: "start" | "end";
  title: string;
  children: ReactNode;
}

/** A drawer that was open once. */
export function OpenedDrawer({ open, onOpenChange, side, title, children }: DrawerProps) {
  useEffect(() => {
    if (open) return forgetSwipe;
  }, [open]);
  const close = useCallback(() => onOpenChange(false), [onOpenChange]);
  const follow = ({ nativeEvent, currentTarget }: TouchEvent<HTMLElement>) =>
    followSwipe(nativeEvent, {
      side,
      isOpen: true,
      width: currentTarget.offsetWidth,
      onEnd: (isOpen) => {
        if (!isOpen) close();
      },
    });
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={styles.overlay} />
        <RadixDialog.Content
          className={styles.content}
          data-side={side}
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          onTouchStart={follow}
        >
          <RadixDialog.Title className="visually-hidden">{title}</RadixDialog.Title>
          <DrawerContext value={close}>{children}</DrawerContext>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
