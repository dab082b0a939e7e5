import { type MouseEvent, type PointerEvent, useMemo, useState } from "react";

/** Where a context menu opens: at a point of the window in pixels, or as a sheet at the bottom of a touch screen. */
export type MenuPosition = { kind: "point"; x: number; y: number } | { kind: "sheet" };

/** How long a finger rests before the menu opens. */
const holdMs = 450;
/** How far a resting finger may move. */
const restPx = 10;

/** A click that belongs to the lifted finger follows within this time. */
const clickAfterMs = 50;

/** Elements that keep the browser's own menu: fields, media and the links in a message. */
const browsersOwn = "a[href], input, textarea, select, video, audio, [contenteditable], [data-native-menu]";

/** The touch that a menu waits for already: of things inside of each other, the innermost has the menu. */
let held: Event | null = null;

/**
 * The context menu of an element, to which the handlers belong: by the right mouse button, by the keyboard (the browser
 * reports the menu key and Shift+F10 as it reports the mouse) and by a finger that rests on the element.
 */
export function useContextMenu() {
  const [position, setPosition] = useState<MenuPosition | null>(null);
  return useMemo(
    () => ({
      /** Null while it is closed. */
      position,
      close: () => setPosition(null),
      handlers: {
        onContextMenu: (event: MouseEvent<HTMLElement>) => {
          if (event.defaultPrevented || isBrowsers(event)) return;
          event.preventDefault();
          setPosition(positionOf(event));
        },
        onPointerDown: (event: PointerEvent<HTMLElement>) => {
          if (event.pointerType !== "touch" || held === event.nativeEvent) return;
          if (!event.isPrimary || isBrowsers(event)) return;
          held = event.nativeEvent;
          afterHold(event.nativeEvent, () => setPosition({ kind: "sheet" }));
        },
      },
    }),
    [position],
  );
}

/** Whether the browser's menu is meant: asked for with Shift, on a selected text, or on something inside that has one. */
function isBrowsers(event: MouseEvent<HTMLElement>): boolean {
  const { target, currentTarget } = event;
  // Components of an open menu are not in the element, although React passes their events on.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return true;
  // Shift+F10 is the keyboard's way to this menu.
  if (event.shiftKey && event.button === 2) return true;
  const inside = target.closest(browsersOwn);
  if (inside !== null && inside !== currentTarget && currentTarget.contains(inside)) return true;
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(target, true);
}

function positionOf(event: MouseEvent<HTMLElement>): MenuPosition {
  const { clientX: x, clientY: y, nativeEvent } = event;
  if (nativeEvent instanceof globalThis.PointerEvent && nativeEvent.pointerType === "touch") return { kind: "sheet" };
  const box = event.currentTarget.getBoundingClientRect();
  const isIn = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  // The keyboard has no point of its own; browsers report different ones.
  return isIn ? { kind: "point", x, y } : { kind: "point", x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/** Calls `onHeld` when the finger has rested; not when it moves or leaves before. Scrolling cancels its pointer. */
function afterHold({ clientX, clientY }: globalThis.PointerEvent, onHeld: () => void): void {
  const stop = new AbortController();
  const options = { signal: stop.signal, capture: true };
  const timer = setTimeout(() => {
    stop.abort();
    withoutClick();
    onHeld();
  }, holdMs);
  stop.signal.addEventListener("abort", () => clearTimeout(timer));
  const end = () => stop.abort();
  const move = (event: globalThis.PointerEvent) => {
    if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > restPx) end();
  };
  addEventListener("pointermove", move, options);
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end, options);
}

/**
 * Swallows the click that some browsers report when the finger is lifted: it would press the element below it. The
 * click of the next touch is not swallowed, however soon that follows.
 */
function withoutClick(): void {
  const stop = new AbortController();
  const options = { signal: stop.signal, capture: true };
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener("click", swallow, options);
  addEventListener("pointerdown", () => stop.abort(), options);
  for (const name of ["pointerup", "pointercancel"]) {
    addEventListener(name, () => setTimeout(() => stop.abort(), clickAfterMs), options);
  }
}
