import type { FairQueueLimits } from "../../load/fair-queue.js";

/** Largest body of an upload: the largest picture, and the other parts of the form. */
export const pictureFormBytesMax = 9 * 1024 * 1024;
/** Largest animated picture that stays animated, in bytes (docs/protocol/communities.md#28.5). */
export const animatedBytesMax = 2 * 1024 * 1024;
/** Frames that an animated picture may have. */
export const framesMax = 1_000;
/**
 * Pixels of a picture that are decoded, of all frames together. Some formats are decoded as a whole, which takes 4 bytes for
 * each pixel.
 */
export const inputPixelsMax = 50_000_000;
/** Pixels of all frames together that are encoded; the more frames, the smaller they are. About 3 s of processor time. */
export const animatedPixelsMax = 16_000_000;
/** Bytes of all sizes of a picture; an animated one that needs more keeps its first frame. */
export const scaledBytesMax = 6 * 1024 * 1024;

/** Longest side of a thumbnail, in pixels (docs/protocol/storage.md#34.3). */
export const thumbnailPixelsMax = 800;

/** Memory of the process that scales one picture: 80 MB without a picture, 310 MB with the worst one of the most pixels. */
export const scalerBytesMax = 384 * 1024 * 1024;
/** Its processor time. Scaling takes 0.5 s to 1.5 s; an animated picture of the most pixels 5 s. */
export const scalerCpuMaxMs = 8_000;
/** How long it may take on a busy machine. */
export const scalerMaxMs = 30_000;

/** Exit code of that process for a picture that cannot be read. */
export const unreadableExitCode = 3;

/** Pictures are scaled one after the other in each process, an account's own with pauses. Those that wait are on the disk. */
export const pictureTurns: FairQueueLimits = {
  runningMax: 1,
  waitingMax: 32,
  waitingPerTenantMax: 2,
  waitMaxMs: 60_000,
  coolDownFactor: 1,
};
