import { isPictureAddress, pictureSizes } from "@parley/contracts";

/**
 * The address of a picture in a size: of an uploaded one the smallest that is sharp on this screen, of any other the address
 * itself.
 *
 * @param size edge in CSS pixels
 */
export function pictureSource(url: string, size: number): string {
  if (!isPictureAddress(url)) return url;
  const pixels = size * devicePixelRatio;
  const fitting = pictureSizes.findLast((edge) => edge >= pixels) ?? pictureSizes[0];
  return `/api${url}?size=${fitting}`;
}
