import { lazyPart } from "../page/lazy-part.js";
import type { DrawerProps } from "./opened-drawer.js";
import { useWasOpen } from "./use-was-open.js";

const OpenedDrawer = lazyPart<DrawerProps>(async () => (await import("./overlays.js")).OpenedDrawer);

/** A panel that slides in from a side of a narrow screen, and is closed by a swipe, too. */
export function Drawer(props: DrawerProps) {
  return useWasOpen(props.open) ? <OpenedDrawer {...props} /> : null;
}

/** The width of a drawer in pixels, as drawer.module.css has it. */
export const drawerWidth = (): number => Math.min(320, innerWidth * 0.88);
