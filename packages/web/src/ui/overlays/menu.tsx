import { useState } from "react";
import { lazyPart } from "../page/lazy-part.js";
import { FirstTrigger, triggerWithNote } from "./first-trigger.js";
import type { MenuProps } from "./opened-menu.js";

export type { MenuEntry, MenuItem, Submenu } from "./opened-menu.js";

const OpenedMenu = lazyPart<MenuProps & { isByKeyboard: boolean }>(
  async () => (await import("./overlays.js")).OpenedMenu,
  {
    waiting: ({ trigger }) => (
      <FirstTrigger opens="menu" isOpen>
        {trigger}
      </FirstTrigger>
    ),
    missing: triggerWithNote,
  },
);

/** A menu that its trigger opens. */
export function Menu(props: MenuProps) {
  const [used, setUsed] = useState<{ isByKeyboard: boolean } | null>(null);
  if (used !== null) return <OpenedMenu {...props} {...used} />;
  const use = (isByKeyboard: boolean) => {
    setUsed({ isByKeyboard });
    props.onOpen?.();
  };
  return (
    <FirstTrigger opens="menu" onUse={use}>
      {props.trigger}
    </FirstTrigger>
  );
}
