import { type PictureShape, pictureShapes, pictureSizes } from "@parley/contracts";
import sharp, { type Metadata, type SharpOptions } from "sharp";
import { animatedPixelsMax, framesMax, inputPixelsMax, scaledBytesMax, thumbnailPixelsMax } from "./limits.js";

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

interface Box {
  width: number;
  height: number;
}

/**
 * A picture in every size of a shape, upright, cut to its middle, and never enlarged: a small picture is as small in
 * all of them.
 *
 * @param options.mayMove whether an animated picture stays animated; otherwise, and where it takes too many pixels or bytes,
 * only its first frame remains
 * @returns WebP images, the largest first
 * @throws Error for bytes that are no picture, or a picture that is cut off or has too many pixels or frames
 */
export async function scalePicture(
  bytes: Buffer,
  { mayMove, shape }: { mayMove: boolean; shape: PictureShape },
): Promise<Buffer[]> {
  const metadata = await sharp(bytes, reading).metadata();
  const frames = metadata.pages ?? 1;
  if (frames > framesMax) throw new Error("too many frames");
  const { width, height } = metadata;
  const moves = mayMove && frames > 1 && width * height * frames <= inputPixelsMax;
  const moving = moves ? await scaleAnimated(bytes, metadata, { frames, shape }) : null;
  return moving ?? scaleStill(bytes, metadata.autoOrient, shape);
}

/**
 * A picture as a whole, upright, within the square of a thumbnail, and never enlarged.
 *
 * @throws Error as {@link scalePicture}, and for a picture that moves: its thumbnail would not
 */
export async function makeThumbnail(bytes: Buffer): Promise<Buffer> {
  if (((await sharp(bytes, reading).metadata()).pages ?? 1) > 1) throw new Error("the picture moves");
  return sharp(bytes, reading)
    .autoOrient()
    .resize(thumbnailPixelsMax, thumbnailPixelsMax, { fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .webp(still)
    .toBuffer();
}

async function scaleStill(bytes: Buffer, upright: Box, shape: PictureShape): Promise<Buffer[]> {
  const [largest, ...others] = boxesOf(shape);
  const { width, height } = within(upright, largest);
  const { data, info } = await sharp(bytes, reading)
    .autoOrient()
    .resize(width, height, { fit: "cover" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const decoded = { raw: { width: info.width, height: info.height, channels: info.channels } };
  const encode = ({ width, height }: Box) =>
    sharp(data, decoded).resize(width, height, { withoutEnlargement: true }).webp(still).toBuffer();
  return [await encode(largest), ...(await inTurn(others, encode))];
}

/** @returns null when the animation takes more bytes than it may */
async function scaleAnimated(
  bytes: Buffer,
  metadata: Metadata,
  { frames, shape }: { frames: number; shape: PictureShape },
): Promise<Buffer[] | null> {
  const [box, ...others] = boxesOf(shape);
  const { width, height } = within(metadata, box, animatedPixelsMax / frames);
  const largest = await sharp(bytes, { ...reading, animated: true })
    .resize(width, height, { fit: "cover" })
    .webp(animated)
    .toBuffer();
  const smaller = await inTurn(others, ({ width, height }) =>
    sharp(largest, { animated: true }).resize(width, height, { withoutEnlargement: true }).webp(animated).toBuffer(),
  );
  const scaled = [largest, ...smaller];
  return scaled.reduce((sum, { length }) => sum + length, 0) > scaledBytesMax ? null : scaled;
}

/** The sizes of a shape, the largest first. */
function boxesOf(shape: PictureShape): [Box, ...Box[]] {
  const [largest, ...others] = pictureSizes;
  const box = (size: number) => scaledBy(pictureShapes[shape], size / largest);
  return [box(largest), ...others.map(box)];
}

/** The largest box of the same shape within a picture and within a number of pixels; at most the box itself. */
function within(picture: Box, box: Box, pixelsMax = Number.POSITIVE_INFINITY): Box {
  const pixels = Math.sqrt(pixelsMax / (box.width * box.height));
  return scaledBy(box, Math.min(1, picture.width / box.width, picture.height / box.height, pixels));
}

/** A factor like 1/3 leaves a little less than a whole number. */
const scaledBy = ({ width, height }: Box, factor: number): Box => ({
  width: Math.max(1, Math.floor(width * factor + 1e-6)),
  height: Math.max(1, Math.floor(height * factor + 1e-6)),
});

async function inTurn(boxes: readonly Box[], scale: (box: Box) => Promise<Buffer>): Promise<Buffer[]> {
  const scaled: Buffer[] = [];
  for (const box of boxes) scaled.push(await scale(box));
  return scaled;
}
