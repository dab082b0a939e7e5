import { Popover as RadixPopover } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import type { TriggerProps } from "./first-trigger.js";
import { noteFocus } from "./return-focus.js";

/** A popover and the button that opens it. */
export interface PopoverProps {
  trigger: ReactElement<TriggerProps>;
  /** Further listeners of the trigger. */
  handlers?: TriggerProps;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  label: string;
  className: string | undefined;
  side?: "top" | "bottom" | "left" | "right";
  align?: "start" | "center" | "end";
  sideOffset: number;
  onCloseAutoFocus?: (event: Event) => void;
  children: ReactNode;
}

/** A popover that was open once. */
export function OpenedPopover({ trigger, open, onOpenChange, handlers, label, children, ...content }: PopoverProps) {
  return (
    <RadixPopover.Root open={open} onOpenChange={onOpenChange}>
      <RadixPopover.Trigger asChild ref={noteFocus} {...handlers}>
        {trigger}
      </RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content aria-label={label} collisionPadding={8} {...content}>
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}
