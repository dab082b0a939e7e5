/** Edges of the squares in which an uploaded picture is kept, in pixels, the largest first (docs/protocol/communities.md#28.5). */
export const pictureSizes = [512, 128, 64] as const;
export type PictureSize = (typeof pictureSizes)[number];

/**
 * What a picture is cut to, by the width and height of its largest size: the middle square of people and servers, the banner of a
 * server. The smaller sizes of a banner are smaller by as much as those of a square.
 */
export const pictureShapes = { square: { width: 512, height: 512 }, banner: { width: 960, height: 540 } } as const;
export type PictureShape = keyof typeof pictureShapes;

/** Types of the pictures that people, servers and bots may have, by their first bytes (docs/protocol/communities.md#28.5). */
export const pictureTypes = ["image/png", "image/jpeg", "image/webp", "image/gif"] as const;

/** Largest picture that may be uploaded, in bytes (docs/protocol/communities.md#28.5). */
export const pictureBytesMax = 8 * 1024 * 1024;

const folder = "/media/";

/** The address of an uploaded picture: that of its bytes, so it never shows another one. */
export const pictureAddress = (hash: string): string => `${folder}${hash}`;

/** The form of a picture's hash: SHA-256 in lower-case hex. */
export const pictureHashPattern = /^[0-9a-f]{64}$/;

/** Whether an `avatar_url` or `icon_url` is the address of an uploaded picture, and not one that somebody typed. */
export function isPictureAddress(url: string): boolean {
  return url.startsWith(folder) && pictureHashPattern.test(url.slice(folder.length));
}
