import { Dialog as RadixDialog } from "radix-ui";
import { createContext, type ReactNode, type TouchEvent, useCallback, useContext, useEffect } from "react";
import styles from "./drawer.module.css";
import { returnFocus } from "./return-focus.js";
import { followSwipe, forgetSwipe } from "./swipe.js";

const DrawerContext = createContext<() => void>(() => undefined);

/** Returns a function that closes the drawer around the caller; outside of one it does nothing. */
export const useCloseDrawer = (): (() => void) => useContext(DrawerContext);

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

/** The width of a drawer in pixels, as drawer.module.css has it. */
export const drawerWidth = (): number => Math.min(320, innerWidth * 0.88);
