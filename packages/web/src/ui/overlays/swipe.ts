/** Movement in pixels that decides between a swipe and a scroll. */
const decidePx = 10;
/** A swipe over this part of the way, or at this speed, goes on by itself. */
const enoughShare = 0.35;
const enoughPxPerMs = 0.4;
/** As long as the transition in drawer.module.css. */
const snapMs = 160;

/** A swipe at a drawer of a side, and its direction. */
export interface Swipe {
  side: "start" | "end";
  /** Whether it is open, so that the swipe closes it. */
  isOpen: boolean;
  /** In pixels. */
  width: number;
  /** Called when a touch turns out to be this swipe. */
  onBegin?: () => void;
  /** Called when it has come to rest. */
  onEnd: (isOpen: boolean) => void;
}

/** Follows a touch that may become a swipe; the drawer follows the finger. */
export function followSwipe(start: TouchEvent, { side, isOpen, width, onBegin, onEnd }: Swipe): void {
  const { target } = start;
  const first = start.touches[0];
  if (first === undefined || start.touches.length > 1 || !(target instanceof Element) || isElsewhere(target)) return;
  const isRtl = getComputedStyle(document.documentElement).direction === "rtl";
  // Where the closed drawer is, in the physical direction in which fingers are reported.
  const closed = width * ((side === "start") === isRtl ? 1 : -1);
  const from = isOpen ? 0 : closed;
  const stop = new AbortController();
  let isSwipe = false;
  let offset = from;
  let speed = 0;
  let last = { x: first.clientX, at: start.timeStamp };
  const move = (event: TouchEvent) => {
    const touch = event.touches[0];
    if (touch === undefined) return;
    const dx = touch.clientX - first.clientX;
    const dy = touch.clientY - first.clientY;
    if (!isSwipe) {
      if (Math.hypot(dx, dy) < decidePx) return;
      const isRight = Math.abs(dx) > Math.abs(dy) && Math.sign(dx) === Math.sign(isOpen ? closed : -closed);
      if (!isRight) return stop.abort();
      isSwipe = true;
      onBegin?.();
    }
    if (event.cancelable) event.preventDefault();
    speed = (touch.clientX - last.x) / Math.max(1, event.timeStamp - last.at);
    last = { x: touch.clientX, at: event.timeStamp };
    const [low, high] = closed < 0 ? [closed, 0] : [0, closed];
    offset = Math.min(high, Math.max(low, from + dx));
    showSwipe("moving", offset, width);
  };
  const end = () => {
    stop.abort();
    if (!isSwipe) return;
    const way = (offset - from) / width;
    const isFast = Math.abs(speed) > enoughPxPerMs && Math.sign(speed) === Math.sign(isOpen ? closed : -closed);
    const endsOpen = isFast || Math.abs(way) > enoughShare ? !isOpen : isOpen;
    showSwipe("settling", endsOpen ? 0 : closed, width);
    setTimeout(() => onEnd(endsOpen), snapMs);
  };
  // On the element itself: it has the events of its touch even when it is no longer in the page.
  const options = { signal: stop.signal, passive: false };
  const listen = (name: string, listener: (event: TouchEvent) => void) =>
    target.addEventListener(name, (event) => event instanceof TouchEvent && listener(event), options);
  listen("touchmove", move);
  listen("touchend", end);
  listen("touchcancel", end);
}

/** To be called when the drawer is closed: the next one opens as it does without a finger. */
export function forgetSwipe(): void {
  const { dataset, style } = document.documentElement;
  delete dataset.swipe;
  style.removeProperty("--swipe");
  style.removeProperty("--swipe-shown");
}

function showSwipe(state: "moving" | "settling", offset: number, width: number): void {
  const { dataset, style } = document.documentElement;
  dataset.swipe = state;
  style.setProperty("--swipe", `${offset}px`);
  style.setProperty("--swipe-shown", String(1 - Math.abs(offset) / width));
}

/** Whether a sideways movement there means something else: in fields, and in elements that scroll to the side. */
function isElsewhere(target: Element): boolean {
  if (target.closest("input, textarea, video, audio, [role=slider]") !== null) return true;
  for (let element: Element | null = target; element !== null; element = element.parentElement) {
    const { overflowX } = getComputedStyle(element);
    if ((overflowX === "auto" || overflowX === "scroll") && element.scrollWidth > element.clientWidth) return true;
  }
  return false;
}
