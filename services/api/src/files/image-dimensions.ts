import { imageSize } from "image-size";

/** Size of an image in pixels as it is shown. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** EXIF orientations from this one on lie on their side. */
const firstSidewaysOrientation = 5;

/**
 * Reads an image's size.
 *
 * @param head first bytes of the file
 * @returns null when the bytes do not contain them
 */
export function readDimensions(head: Uint8Array): Dimensions | null {
  try {
    const { width, height, orientation = 1 } = imageSize(head);
    if (!isLength(width) || !isLength(height)) return null;
    return orientation >= firstSidewaysOrientation ? { width: height, height: width } : { width, height };
  } catch {
    // The library throws for whatever it cannot read; such an image is stored all the same (docs/interface.md#4.14).
    return null;
  }
}

const lengthMax = 2 ** 31 - 1;

function isLength(pixels: number): boolean {
  return Number.isInteger(pixels) && pixels > 0 && pixels <= lengthMax;
}
