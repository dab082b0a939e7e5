import { cloneElement } from "react";
import { lazyPart } from "../page/lazy-part.js";
import type { TooltipProps } from "./opened-tooltip.js";

const withoutText = ({ trigger, handlers }: TooltipProps) => cloneElement(trigger, handlers);

/** A text that is shown while its trigger has the pointer or the focus. */
export const Tooltip = lazyPart<TooltipProps>(async () => (await import("./overlays.js")).OpenedTooltip, {
  waiting: withoutText,
  missing: withoutText,
});
