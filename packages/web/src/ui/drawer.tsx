import { Dialog as RadixDialog } from "radix-ui";
import { type ReactNode, type TouchEvent, useEffect } from "react";
import styles from "./drawer.module.css";
import { returnFocus } from "./return-focus.js";
import { followSwipe, forgetSwipe } from "./swipe.js";

/** A panel that slides in from a side of a narrow screen, and is closed by a swipe, too. */
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
  useEffect(() => {
    if (open) return forgetSwipe;
  }, [open]);
  const follow = ({ nativeEvent, currentTarget }: TouchEvent<HTMLElement>) =>
    followSwipe(nativeEvent, {
      side,
      isOpen: true,
      width: currentTarget.offsetWidth,
      onEnd: (isOpen) => {
        if (!isOpen) onOpenChange(false);
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
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** The width of a drawer in pixels, as drawer.module.css has it. */
export const drawerWidth = (): number => Math.min(320, innerWidth * 0.88);
