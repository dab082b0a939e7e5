import { closeCodes } from "@parley/contracts";
import type { ReceivedEvent } from "@parley/messaging";
import type { Connection } from "../connection/connection.js";
import { NumberedFrames } from "../connection/frames.js";
import { HeldEvents, type PassedEvent, type StreamPlace } from "../cursors/held-events.js";
import type { Numbering } from "../cursors/numbering.js";
import type { PendingEvents } from "../cursors/pending-events.js";
import type { Follower, Positions } from "../cursors/positions.js";
import { fewRecipientsMax, unsentBytesMax } from "../limits.js";
import type { Topic } from "../query/connection-query.js";
import { TimeSlicedTasks } from "../scheduling/time-sliced-tasks.js";

type StoredEvent = PassedEvent<StreamPlace>;
type AnyEvent = StoredEvent | PassedEvent<null>;

/**
 * @param entry the server or user that it is an event of
 * @param frame of the event, or of its form for the users that it is sent to
 * @param recipients how many users here get it
 */
export function passedEvent(
  entry: { subscription: { pending: PendingEvents } },
  { stored, id, receivedAt }: Pick<ReceivedEvent, "stored" | "id" | "receivedAt">,
  frame: Buffer,
  recipients: number,
): AnyEvent {
  const { pending } = entry.subscription;
  const toMany = recipients > fewRecipientsMax;
  if (stored === null) return { place: null, pending, frame, receivedAt, toMany };
  return { place: { sequence: stored.sequence, id }, pending, frame, receivedAt, toMany };
}

/** A connection as events are sent to it. */
export type Recipient = Pick<Connection, "numbering" | "state" | "wants" | "send" | "sendNumbered" | "close">;

/** A user with connections to this node. */
export interface RecipientUser extends Follower {
  readonly connections: Iterable<Recipient>;
}

/**
 * Sends an event that is being passed on to the connections of a user that want it, a stored one with its cursor to
 * those that are numbered.
 */
export type SendEvent = (user: RecipientUser, event: AnyEvent, topic: Topic) => void;

/**
 * A numbered connection whose user has so much pending that no cursor can say it is sent nothing more until less is:
 * what is passed on meanwhile is held, and sent in the order of the stream (docs/architecture.md#continuing).
 */
export function createEventSender(positions: Positions): SendEvent {
  const frames = new NumberedFrames();
  const holding = new Map<Recipient, { user: RecipientUser; numbering: Numbering }>();
  const releases = new TimeSlicedTasks();
  positions.onChange = () => {
    if (holding.size > 0 && releases.isIdle) releases.add(releaseAll);
  };

  function releaseAll(): void {
    for (const [connection, { user, numbering }] of holding) {
      releases.add(() => release(connection, user, numbering));
    }
  }

  function hold(connection: Recipient, user: RecipientUser, numbering: Numbering, event: StoredEvent): void {
    numbering.held ??= new HeldEvents();
    numbering.held.add(event);
    holding.set(connection, { user, numbering });
    release(connection, user, numbering);
  }

  /** Sends as much of what is held as cursors have room for. */
  function release(connection: Recipient, user: RecipientUser, numbering: Numbering): void {
    const { held, cut } = numbering;
    if (held === null || connection.state === "closed") {
      holding.delete(connection);
      return;
    }
    for (let { next } = held; next !== undefined; { next } = held) {
      // A cursor from before what was sent already would bring that again.
      const end = next.place.sequence > numbering.newest.sequence ? next.place : numbering.newest;
      const position = positions.positionAt(end, user, cut, held.firstBehindNext(end.sequence));
      if (position === null) {
        // Not at once: closing would change the audience that the caller iterates over.
        if (held.byteLength > unsentBytesMax) releases.add(() => connection.close(closeCodes.goingAway));
        return;
      }
      held.removeNext();
      send(connection, numbering, next, position);
    }
    numbering.held = null;
    holding.delete(connection);
  }

  function send(connection: Recipient, numbering: Numbering, event: StoredEvent, position: string): void {
    if (event.place.sequence > numbering.newest.sequence) numbering.newest = event.place;
    connection.sendNumbered(frames.of(event.frame, position), event.receivedAt, event.toMany);
  }

  return (user, event, topic) => {
    for (const connection of user.connections) {
      if (!connection.wants(topic)) continue;
      const { numbering } = connection;
      if (numbering === null || event.place === null) {
        connection.send(event.frame, event.receivedAt, event.toMany);
      } else if (event.place.sequence > numbering.cut) {
        const position = numbering.held === null ? positions.position(user, numbering.cut) : null;
        if (position === null) hold(connection, user, numbering, event);
        else send(connection, numbering, event, position);
      }
    }
  };
}
