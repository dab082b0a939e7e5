import type { Socket } from "node:net";

/** The counters by which Node.js itself sees whether a socket's peer reads. */
interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/** Bytes that the operating system has taken from a socket since it was opened; a write that is taken in part counts in part. */
export function takenFrom(socket: Socket): number {
  const handle: Partial<Handle> = Reflect.get(socket, "_handle") ?? {};
  return (handle.bytesWritten ?? socket.bytesWritten) - (handle.writeQueueSize ?? 0);
}
