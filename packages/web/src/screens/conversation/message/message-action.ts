import type { MenuItem, Submenu } from "../../../ui/overlays/menu.js";

/** Something that can be done with a message: `react` and `button` stand in the bar above it, `menu` in its menu only. */
export type MessageAction = (MenuItem & { shownIn: "react" | "button" | "menu" }) | (Submenu & { shownIn: "menu" });
