/** Luminance that a text needs at least in the dark scheme, at most in the light one: 4.5 to 1 on every surface. */
const darkSchemeMin = 0.35;
const lightSchemeMax = 0.124;
const steps = 32;

/**
 * A colour for text, in both schemes: the given one where it has enough contrast, otherwise with as much white or black
 * as it needs.
 *
 * @param hex as `#2e86de`
 */
export function readableColor(hex: string): string {
  const [light, dark] = bothSchemes(hex).map((channels) => `rgb(${channels.join(" ")})`);
  return `light-dark(${light}, ${dark})`;
}

/** The red, green and blue of a text in the light and in the dark scheme, from 0 to 255. */
export function bothSchemes(hex: string): [light: number[], dark: number[]] {
  const channels = [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));
  return [
    mixed(channels, 0, (luminance) => luminance <= lightSchemeMax),
    mixed(channels, 255, (luminance) => luminance >= darkSchemeMin),
  ];
}

/** The colour with the smallest share of black (0) or white (255) that is enough. */
function mixed(channels: readonly number[], target: 0 | 255, isEnough: (luminance: number) => boolean): number[] {
  for (let step = 0; ; step += 1) {
    const share = step / steps;
    const result = channels.map((channel) => Math.round(channel + (target - channel) * share));
    if (step === steps || isEnough(luminanceOf(result))) return result;
  }
}

/** Relative luminance by WCAG 2. */
export function luminanceOf(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const share = channel / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
