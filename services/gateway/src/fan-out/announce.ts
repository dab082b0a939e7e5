import { dispatchFrame } from "@parley/contracts";
import { encodeTextFrame } from "../connection/frames.js";
import type { Announcement } from "../hub/announcements.js";
import type { ServerEntry } from "../hub/server-entry.js";
import type { UserEntry } from "../hub/user-entry.js";
import type { Topic } from "../query/connection-query.js";
import type { BuildServerJoin } from "../ready/server-join.js";
import { markDelivered } from "../stream/stream-order.js";
import { dispatchedEvent, type EventSender } from "./event-sender.js";

/**
 * Creates the function that tells users of their joins and leaves of a server, in order, up to the first whose
 * membership is still to be loaded: SERVER_JOIN to who is a member now, SERVER_LEAVE to who is none.
 *
 * Who left and joined again before the leave was processed is told of both at once, so that nothing of the server
 * stands between them.
 */
export function createAnnounce(options: {
  sender: Pick<EventSender, "send">;
  buildServerJoin: BuildServerJoin;
  lowWatermark: () => number;
  /** Called after SERVER_JOIN. */
  onJoined(server: ServerEntry, user: UserEntry): void;
}) {
  const { sender, buildServerJoin, lowWatermark, onJoined } = options;

  const send = (server: ServerEntry, { user, event }: Announcement, name: string, frame: Buffer) => {
    const topic: Topic = { event: name, serverCrc: server.crc, version: 2, watched: null };
    sender.send(user, dispatchedEvent(user, event, frame, 1), topic);
  };

  return async (server: ServerEntry): Promise<void> => {
    const { announcements } = server;
    const members = [...announcements.users].filter((user) => server.isMember(user));
    const joinFrames = members.length === 0 ? null : await buildServerJoin(server.id, members);
    for (let { first } = announcements; first !== undefined; { first } = announcements) {
      const { user, event, leaveReason } = first;
      if (server.isPending(user)) return;
      if (leaveReason === null) markDelivered(user, event, lowWatermark);
      else send(server, first, "SERVER_LEAVE", serverLeaveFrame(server.id, leaveReason));
      const joined = server.isMember(user) ? joinFrames?.get(user.id) : undefined;
      if (joined !== undefined) {
        send(server, first, "SERVER_JOIN", joined);
        onJoined(server, user);
      }
      announcements.end(first);
    }
  };
}

/** The frame of SERVER_LEAVE. */
export function serverLeaveFrame(serverId: string, reason: string): Buffer {
  return encodeTextFrame(Buffer.from(dispatchFrame("SERVER_LEAVE", JSON.stringify({ server_id: serverId, reason }))));
}
