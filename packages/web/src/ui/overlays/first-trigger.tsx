import {
  cloneElement,
  type HTMLAttributes,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
} from "react";

/** The properties of a trigger. */
export type TriggerProps = HTMLAttributes<HTMLElement>;

/**
 * A button that has not opened anything yet. The script of its menu or dialog is loaded at the first use, and the page
 * does not wait for it; until then a list of messages has nothing but buttons.
 */
export function FirstTrigger({
  opens,
  isOpen = false,
  onUse = () => undefined,
  handlers = {},
  children,
}: {
  opens: "menu" | "dialog";
  /** Whether it is open, or about to be. */
  isOpen?: boolean;
  onUse?: (isByKeyboard: boolean) => void;
  /** Further listeners of the button. */
  handlers?: TriggerProps;
  children: ReactElement<TriggerProps>;
}) {
  const { onClick, onKeyDown } = children.props;
  const props = {
    ...handlers,
    "aria-haspopup": opens,
    "aria-expanded": isOpen,
    "data-state": isOpen ? "open" : "closed",
    onClick: (event: MouseEvent<HTMLElement>) => {
      onClick?.(event);
      // Enter and Space are clicks without a count.
      if (!event.defaultPrevented) onUse(event.detail === 0);
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      onKeyDown?.(event);
      if (opens !== "menu" || event.key !== "ArrowDown") return;
      event.preventDefault();
      onUse(true);
    },
  } satisfies TriggerProps & { "data-state": string };
  return cloneElement(children, props);
}

/** The replacement of an opener whose script could not be loaded. */
export const triggerWithNote = ({ trigger }: { trigger: ReactElement<TriggerProps> }, note: ReactNode) => (
  <>
    {trigger}
    {note}
  </>
);
