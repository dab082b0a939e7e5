import type { Connection } from "../connection/connection.js";
import type { SerialQueue } from "../scheduling/serial-queue.js";
import type { Subscription } from "../stream/subscriptions.js";

/** What a user's entry knows of a server that they are in. */
export interface MemberServer {
  readonly id: string;
  /** Ends the user's part in it. */
  remove(user: UserEntry): void;
}

/** A user with connections to this node. */
export class UserEntry {
  /** Oldest first. */
  readonly connections: Connection[] = [];
  /** The servers whose events the user gets, or may get once their membership is known. */
  readonly servers = new Set<MemberServer>();
  /** Servers that the user joined or left while their memberships are being read; null at other times. */
  changedServers: Set<string> | null = null;
  /** Number of the last event for co-members that the user got, so that they get each once. */
  lastComemberEvent = 0;

  constructor(
    readonly id: string,
    readonly subscription: Subscription,
    readonly queue: SerialQueue,
  ) {}

  /** @param since when the frame's event arrived, by `performance.now()` */
  send(frame: Buffer, since: number): void {
    for (const connection of this.connections) connection.send(frame, since);
  }

  /** The same for a frame that may wait. */
  sendLowPriority(frame: Buffer, since: number): void {
    for (const connection of this.connections) connection.sendLowPriority(frame, since);
  }
}
