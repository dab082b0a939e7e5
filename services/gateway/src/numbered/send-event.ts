import type { ReceivedEvent } from "@parley/messaging";
import type { UserEntry } from "../hub/user-entry.js";
import type { Topic } from "../session/connection-query.js";
import type { DeliveryState } from "./delivery-state.js";
import { NumberedFrames } from "./numbered-frame.js";

/**
 * Sends an event that is being passed on to the connections of a user that want it, a stored one with its cursor to
 * those that are numbered.
 *
 * @param frame of the event, or of its form for this user
 */
export type SendEvent = (
  user: UserEntry,
  event: Pick<ReceivedEvent, "stored" | "receivedAt">,
  topic: Topic,
  frame: Buffer,
) => void;

export function createEventSender(state: DeliveryState): SendEvent {
  const frames = new NumberedFrames();
  return (user, { stored, receivedAt }, topic, frame) => {
    for (const connection of user.connections) {
      if (!connection.wants(topic)) continue;
      const { numbering } = connection;
      if (numbering === null || stored === null) {
        connection.send(frame, receivedAt);
      } else if (stored.sequence > numbering.cut) {
        connection.sendNumbered(frames.of(frame, state.position(user, numbering.cut)), receivedAt);
      }
    }
  };
}
