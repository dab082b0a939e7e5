import { dispatchFrame } from "@parley/contracts";
import type { ReceivedEvent } from "@parley/messaging";
import type { Connection } from "../connection/connection.js";
import { encodeTextFrame } from "../connection/frames.js";
import type { LeaveReason } from "../hub/announcements.js";
import type { ServerEntry } from "../hub/server-entry.js";
import type { UserEntry } from "../hub/user-entry.js";
import type { BuildServerJoin } from "../ready/server-join.js";
import { markDelivered } from "../stream/stream-order.js";
import { dispatchedEvent, type EventSender } from "./event-sender.js";

/** The part of a server's entry that a frame about it needs. */
type NamedServer = Pick<ServerEntry, "id" | "crc">;

/** Sends users SERVER_JOIN and SERVER_LEAVE of a server. */
export class Announcer {
  /** Per connection whether the last frame about a server was SERVER_JOIN, by the server's id; READY does not count. */
  readonly #announced = new WeakMap<Connection, Map<string, boolean>>();

  constructor(
    private readonly options: {
      sender: Pick<EventSender, "send">;
      buildServerJoin: BuildServerJoin;
      lowWatermark: () => number;
      /** Called after SERVER_JOIN. */
      onJoined(server: ServerEntry, user: UserEntry): void;
      /** Queues another load of the memberships that are pending. */
      loadPending(server: ServerEntry): void;
    },
  ) {}

  /**
   * Makes the server's announcements in order, up to the first whose membership is not loaded yet: SERVER_JOIN to
   * members, SERVER_LEAVE behind a leave. A membership that ended before it was loaded is not announced at all.
   *
   * A user who left and is a member again already gets both at once, so that no event of the server comes between them.
   * The join's own announcement then sends SERVER_JOIN only to the connections that did not get it.
   */
  async announce(server: ServerEntry): Promise<void> {
    const { buildServerJoin, lowWatermark, onJoined, loadPending } = this.options;
    const { announcements } = server;
    const members = [...announcements.users].filter((user) => server.isMember(user));
    const joinFrames = members.length === 0 ? null : await buildServerJoin(server.id, members);
    for (let { first } = announcements; first !== undefined; { first } = announcements) {
      const { user, event, leaveReason } = first;
      const joined = joinFrames?.get(user.id);
      if (server.isMember(user) && joined === undefined) {
        // The membership ended between the two statements.
        server.leave(user);
        loadPending(server);
      }
      if (server.isPending(user)) return;
      announcements.end(first);
      if (leaveReason === null) {
        markDelivered(user, event, lowWatermark);
        server.forgetRemoved(user);
      } else {
        this.leave(user, server, { event, reason: leaveReason });
      }
      // The cursor of a SERVER_JOIN from before the join does not continue.
      if (joined === undefined || !server.isMember(user) || announcements.users.has(user)) continue;
      this.#send(user, server, { event, frame: joined, isJoin: true });
      onJoined(server, user);
    }
  }

  /** Sends SERVER_LEAVE to the connections of a user that may know of the membership: by SERVER_JOIN or READY. */
  leave(user: UserEntry, server: NamedServer, { event, reason }: { event: ReceivedEvent; reason: LeaveReason }): void {
    this.#send(user, server, { event, frame: serverLeaveFrame(server.id, reason), isJoin: false });
  }

  #send(
    user: UserEntry,
    server: NamedServer,
    { event, frame, isJoin }: { event: ReceivedEvent; frame: Buffer; isJoin: boolean },
  ): void {
    const connections = user.connections.filter(
      (connection) => this.#announced.get(connection)?.get(server.id) !== isJoin,
    );
    const name = isJoin ? "SERVER_JOIN" : "SERVER_LEAVE";
    const recipients = { connections, followed: () => user.followed() };
    this.options.sender.send(recipients, dispatchedEvent(user, event, frame, 1), {
      event: name,
      serverCrc: server.crc,
      version: 2,
      watched: null,
    });
    for (const connection of connections) {
      if (isBeforeReady(connection, event)) continue;
      const announced = this.#announced.get(connection) ?? new Map<string, boolean>();
      this.#announced.set(connection, announced.set(server.id, isJoin));
    }
  }
}

/** Whether the connection is not sent the event, because READY or its replay has the effect. */
function isBeforeReady({ numbering }: Connection, { stored }: ReceivedEvent): boolean {
  return numbering !== null && stored !== null && stored.sequence <= numbering.replayBoundary;
}

/** The frame of SERVER_LEAVE. */
export function serverLeaveFrame(serverId: string, reason: string): Buffer {
  return encodeTextFrame(Buffer.from(dispatchFrame("SERVER_LEAVE", JSON.stringify({ server_id: serverId, reason }))));
}
