import { readyUnsentBytesMax } from "../limits.js";

/** READY frames that clients have not read yet: limits the memory that one user can make this node hold. */
export interface UnsentReadies {
  /**
   * Counts a frame that is to be sent to one more connection of the user; `end` is called when the connection releases
   * it.
   *
   * @returns null if the user's frames would exceed {@link readyUnsentBytesMax}
   */
  hold(userId: string, frame: Buffer): { end(): void } | null;
}

export function createUnsentReadies(): UnsentReadies {
  /** Per user the frames with the number of connections that share each. */
  const users = new Map<string, Map<Buffer, number>>();
  return {
    hold(userId, frame) {
      const frames = users.get(userId) ?? new Map<Buffer, number>();
      const holders = frames.get(frame) ?? 0;
      if (holders === 0 && frames.size > 0 && bytesOf(frames) + frame.length > readyUnsentBytesMax) return null;
      users.set(userId, frames.set(frame, holders + 1));
      return {
        end() {
          const left = (frames.get(frame) ?? 1) - 1;
          if (left > 0) frames.set(frame, left);
          else frames.delete(frame);
          if (frames.size === 0 && users.get(userId) === frames) users.delete(userId);
        },
      };
    },
  };
}

function bytesOf(frames: ReadonlyMap<Buffer, number>): number {
  let bytes = 0;
  for (const { length } of frames.keys()) bytes += length;
  return bytes;
}
