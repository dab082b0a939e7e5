import { readyUnsentBytesMax } from "../limits.js";

/** READY frames that clients have not read yet: limits the memory that one user can make this node hold. */
export class UnsentReadies {
  /** Per user the frames with the number of connections that share each. */
  readonly #users = new Map<string, Map<Buffer, number>>();

  /**
   * Counts a frame that is to be sent to one more connection of the user.
   *
   * @returns to be called when the connection releases the frame; null if the user's frames would exceed
   *   {@link readyUnsentBytesMax}
   */
  add(userId: string, frame: Buffer): (() => void) | null {
    const frames = this.#users.get(userId) ?? new Map<Buffer, number>();
    const connections = frames.get(frame) ?? 0;
    if (connections === 0 && frames.size > 0 && bytesOf(frames) + frame.length > readyUnsentBytesMax) return null;
    this.#users.set(userId, frames.set(frame, connections + 1));
    return () => {
      const left = (frames.get(frame) ?? 1) - 1;
      if (left > 0) frames.set(frame, left);
      else frames.delete(frame);
      if (frames.size === 0 && this.#users.get(userId) === frames) this.#users.delete(userId);
    };
  }
}

function bytesOf(frames: ReadonlyMap<Buffer, number>): number {
  let bytes = 0;
  for (const { length } of frames.keys()) bytes += length;
  return bytes;
}
