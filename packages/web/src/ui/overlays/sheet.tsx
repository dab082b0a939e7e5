import { lazyPart } from "../page/lazy-part.js";
import type { SheetFrameProps } from "./opened-sheet.js";
import { useWasOpen } from "./use-was-open.js";

const OpenedSheetFrame = lazyPart<SheetFrameProps>(async () => (await import("./overlays.js")).OpenedSheetFrame);

/** A dialog at the bottom of a narrow or touch screen. */
export function SheetFrame(props: SheetFrameProps) {
  return useWasOpen(props.open ?? true) ? <OpenedSheetFrame {...props} /> : null;
}
