import { Tooltip as RadixTooltip } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import type { TriggerProps } from "./first-trigger.js";

/** A text, and the element that it belongs to. */
export interface TooltipProps {
  trigger: ReactElement<TriggerProps>;
  /** Further listeners of the trigger. */
  handlers: TriggerProps;
  /** How long the pointer rests before it is shown, in milliseconds. */
  restMs: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  className: string | undefined;
  children: ReactNode;
}

/** A text beside its trigger. */
export function OpenedTooltip({ trigger, handlers, restMs, open, onOpenChange, className, children }: TooltipProps) {
  return (
    <RadixTooltip.Provider delayDuration={restMs}>
      <RadixTooltip.Root open={open} onOpenChange={onOpenChange}>
        <RadixTooltip.Trigger asChild {...handlers}>
          {trigger}
        </RadixTooltip.Trigger>
        <RadixTooltip.Portal>
          <RadixTooltip.Content className={className} sideOffset={6} collisionPadding={8}>
            {children}
          </RadixTooltip.Content>
        </RadixTooltip.Portal>
      </RadixTooltip.Root>
    </RadixTooltip.Provider>
  );
}
