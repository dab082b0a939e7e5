import { imageSize } from "image-size";

/** Size of an image in pixels as it is shown. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/**
 * Steps of the library through a JPEG, segments and bytes between them. Of those in use a few hundred precede the size;
 * 256 KiB of the smallest segments would take it 100 ms.
 */
const jpegStepsMax = 4_096;

/** EXIF orientations from this one on lie on their side. */
const firstSidewaysOrientation = 5;

/**
 * Reads an image's size.
 *
 * @param head first bytes of the file
 * @returns null when the bytes do not contain them
 */
export function readDimensions(head: Uint8Array): Dimensions | null {
  if (head[0] === 0xff && head[1] === 0xd8 && !isShortJpeg(head)) return null;
  try {
    const { width, height, orientation = 1 } = imageSize(head);
    if (!isLength(width) || !isLength(height)) return null;
    return orientation >= firstSidewaysOrientation ? { width: height, height: width } : { width, height };
  } catch {
    // The library throws for an image that it cannot read; such an image is stored all the same
    // (docs/protocol/objects.md#4.14).
    return null;
  }
}

/** Whether the library gets to the frame of a JPEG within the bound; takes the same steps, without its cost of each. */
function isShortJpeg(bytes: Uint8Array): boolean {
  for (let at = 4, steps = 0; at < bytes.length && steps < jpegStepsMax; steps += 1) {
    const end = at + (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
    const marker = bytes[end] === 0xff ? bytes[end + 1] : undefined;
    if (marker === 0xc0 || marker === 0xc1 || marker === 0xc2) return true;
    at = bytes[end] === 0xff ? end + 2 : at + 1;
  }
  return false;
}

const lengthMax = 2 ** 31 - 1;

function isLength(pixels: number): boolean {
  return Number.isInteger(pixels) && pixels > 0 && pixels <= lengthMax;
}
