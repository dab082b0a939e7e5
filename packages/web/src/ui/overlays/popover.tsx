import { lazyPart } from "../page/lazy-part.js";
import { FirstTrigger, triggerWithNote } from "./first-trigger.js";
import type { PopoverProps } from "./opened-popover.js";
import { useWasOpen } from "./use-was-open.js";

const OpenedPopover = lazyPart<PopoverProps>(async () => (await import("./overlays.js")).OpenedPopover, {
  waiting: ({ trigger, handlers }) => (
    <FirstTrigger opens="dialog" isOpen {...(handlers === undefined ? {} : { handlers })}>
      {trigger}
    </FirstTrigger>
  ),
  missing: triggerWithNote,
});

/** A small window beside the button that opens it. */
export function Popover(props: PopoverProps) {
  const { trigger, handlers, onOpenChange } = props;
  if (useWasOpen(props.open)) return <OpenedPopover {...props} />;
  return (
    <FirstTrigger opens="dialog" onUse={() => onOpenChange(true)} {...(handlers === undefined ? {} : { handlers })}>
      {trigger}
    </FirstTrigger>
  );
}
