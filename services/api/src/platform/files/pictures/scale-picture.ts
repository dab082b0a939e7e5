import { pictureSizes } from "@parley/contracts";
import sharp, { type Metadata, type SharpOptions } from "sharp";
import { animatedPixelsMax, framesMax, inputPixelsMax, scaledBytesMax } from "./limits.js";

// Nothing but the four formats is ever given to a decoder, whatever the bytes look like to libvips.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: [
    "VipsForeignLoadPngBuffer",
    "VipsForeignLoadJpegBuffer",
    "VipsForeignLoadWebpBuffer",
    "VipsForeignLoadNsgifBuffer",
  ],
});
sharp.cache(false);
sharp.concurrency(1);

/** Quality of the lossy WebP that everything becomes, and how much time is spent on making it small. */
const still = { quality: 82, effort: 4 };
const animated = { quality: 75, effort: 0 };

/** sharp does not keep metadata, so the output has none; colours become sRGB. */
const reading: SharpOptions = { limitInputPixels: inputPixelsMax, failOn: "error", sequentialRead: true };

/**
 * A picture as squares of every size, upright, cut to their middle, and never enlarged: a small picture is as small in
 * all of them.
 *
 * @param mayMove whether an animated picture stays animated; otherwise, and where it takes too many pixels or bytes,
 * only its first frame remains
 * @returns WebP images, the largest first
 * @throws Error for bytes that are no picture, or a picture that is cut off or has too many pixels or frames
 */
export async function scalePicture(bytes: Buffer, mayMove: boolean): Promise<Buffer[]> {
  const metadata = await sharp(bytes, reading).metadata();
  const frames = metadata.pages ?? 1;
  if (frames > framesMax) throw new Error("too many frames");
  const { width, height } = metadata;
  const moves = mayMove && frames > 1 && width * height * frames <= inputPixelsMax;
  const moving = moves ? await scaleAnimated(bytes, metadata, frames) : null;
  return moving ?? scaleStill(bytes, metadata);
}

async function scaleStill(bytes: Buffer, metadata: Metadata): Promise<Buffer[]> {
  const [largest, ...others] = pictureSizes;
  const side = sideOf(metadata, largest);
  const { data, info } = await sharp(bytes, reading)
    .autoOrient()
    .resize(side, side, { fit: "cover" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const decoded = { raw: { width: info.width, height: info.height, channels: info.channels } };
  const encode = (size: number) =>
    sharp(data, decoded).resize(size, size, { withoutEnlargement: true }).webp(still).toBuffer();
  return [await encode(largest), ...(await inTurn(others, encode))];
}

/** @returns null when the animation takes more bytes than it may */
async function scaleAnimated(bytes: Buffer, metadata: Metadata, frames: number): Promise<Buffer[] | null> {
  const [size, ...others] = pictureSizes;
  const side = Math.min(sideOf(metadata, size), Math.floor(Math.sqrt(animatedPixelsMax / frames)));
  const largest = await sharp(bytes, { ...reading, animated: true })
    .resize(side, side, { fit: "cover" })
    .webp(animated)
    .toBuffer();
  const smaller = await inTurn(others, (size) =>
    sharp(largest, { animated: true }).resize(size, size, { withoutEnlargement: true }).webp(animated).toBuffer(),
  );
  const scaled = [largest, ...smaller];
  return scaled.reduce((sum, { length }) => sum + length, 0) > scaledBytesMax ? null : scaled;
}

/** Edge of the largest square within a picture, `size` at most. */
function sideOf({ width, height }: Metadata, size: number): number {
  return Math.max(1, Math.min(size, width, height));
}

async function inTurn(sizes: readonly number[], scale: (size: number) => Promise<Buffer>): Promise<Buffer[]> {
  const scaled: Buffer[] = [];
  for (const size of sizes) scaled.push(await scale(size));
  return scaled;
}
