import type { Support } from "./emoji-set.js";

const sizePx = 20;
/** As `--font-emoji`. */
const font = `${sizePx}px 'Apple Color Emoji', 'Segoe UI Emoji', 'Noto Color Emoji', sans-serif`;
/** More than one emoji is wider than one by more than this. */
const widthRatioMax = 1.5;
const oldest = "😀";
const country = "🇩🇪";

/** Finds the emoji that this device can show. Where it cannot be measured, all count as shown. */
export function supportOfDevice(samples: readonly { version: number; emoji: string }[]): Support {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [sizePx, sizePx];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  return context === null ? everything : supportOf(samples, (emoji) => isShown(context, emoji));
}

const everything: Support = { version: Number.POSITIVE_INFINITY, flags: true };

/** Finds the emoji that can be shown where single ones can be tried. */
export function supportOf(
  samples: readonly { version: number; emoji: string }[],
  canShow: (emoji: string) => boolean,
): Support {
  // Without any font of emoji, nothing is better than anything else.
  if (!canShow(oldest)) return everything;
  const newest = samples.find(({ emoji }) => canShow(emoji));
  return { version: newest?.version ?? 0, flags: canShow(country) };
}

/** A missing emoji is drawn in the colour of the text, or as its parts beside each other. */
function isShown(context: CanvasRenderingContext2D, emoji: string): boolean {
  const drawn = ["#000", "#fff"].map((color) => {
    context.clearRect(0, 0, sizePx, sizePx);
    context.font = font;
    context.textBaseline = "top";
    context.fillStyle = color;
    context.fillText(emoji, 0, 0);
    return context.getImageData(0, 0, sizePx, sizePx).data.join();
  });
  const isColoured = drawn[0] === drawn[1] && /[1-9]/.test(drawn[0] ?? "");
  return isColoured && context.measureText(emoji).width < context.measureText(oldest).width * widthRatioMax;
}
