// All layers above the page, with Radix and the code that places them: one part, which is loaded once the first screen
// is there.
export { OpenedContextMenu } from "./opened-context-menu.js";
export { OpenedDialog } from "./opened-dialog.js";
export { OpenedDrawer } from "./opened-drawer.js";
export { OpenedMenu } from "./opened-menu.js";
export { OpenedPopover } from "./opened-popover.js";
export { OpenedSheetFrame } from "./opened-sheet.js";
export { OpenedTooltip } from "./opened-tooltip.js";
