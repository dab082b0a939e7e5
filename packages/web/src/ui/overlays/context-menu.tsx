import { lazyPart } from "../page/lazy-part.js";
import type { ContextMenuProps } from "./opened-context-menu.js";

/** An open context menu; `useContextMenu` has its position. */
export const ContextMenu = lazyPart<ContextMenuProps>(async () => (await import("./overlays.js")).OpenedContextMenu);
