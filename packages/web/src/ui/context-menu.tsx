import { lazyPart } from "./lazy-part.js";
import type { ContextMenuProps } from "./overlays/opened-context-menu.js";

/** An open context menu; `useContextMenu` has its position. */
export const ContextMenu = lazyPart<ContextMenuProps>(
  async () => (await import("./overlays/overlays.js")).OpenedContextMenu,
);
