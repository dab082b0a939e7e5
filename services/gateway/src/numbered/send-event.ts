import { closeCodes } from "@parley/contracts";
import type { ReceivedEvent } from "@parley/messaging";
import type { Connection } from "../connection/connection.js";
import { NumberedFrames } from "../connection/numbered-frame.js";
import type { DeliveryState, Follower } from "../cursors/delivery-state.js";
import { type HeldEvent, HeldEvents, type StreamPlace } from "../cursors/held-events.js";
import type { Numbering } from "../cursors/numbering.js";
import type { PendingEvents } from "../cursors/pending-events.js";
import { fewRecipientsMax, unsentBytesMax } from "../limits.js";
import type { Topic } from "../query/connection-query.js";
import { TimeSlicedTasks } from "../scheduling/time-sliced-tasks.js";

/** An event that is being passed on. */
export interface PassedEvent {
  /** Null for an ephemeral event. */
  place: StreamPlace | null;
  receivedAt: number;
  topic: Topic;
  /** Whether it must not delay what is for few. */
  toMany: boolean;
  /** Of the subscription that it belongs to. */
  pending: PendingEvents;
}

/**
 * @param entry the server or user that it is an event of
 * @param recipients how many users here get it
 */
export function passedEvent(
  entry: { subscription: { pending: PendingEvents } },
  { stored, id, receivedAt }: Pick<ReceivedEvent, "stored" | "id" | "receivedAt">,
  topic: Topic,
  recipients: number,
): PassedEvent {
  const place = stored === null ? null : { sequence: stored.sequence, id };
  return { place, receivedAt, topic, toMany: recipients > fewRecipientsMax, pending: entry.subscription.pending };
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
 *
 * @param frame of the event, or of its form for this user
 */
export type SendEvent = (user: RecipientUser, event: PassedEvent, frame: Buffer) => void;

/**
 * A numbered connection whose user has so much pending that no cursor can say it is sent nothing more until less is:
 * what is passed on meanwhile is held, and sent in the order of the stream (docs/architecture.md#continuing).
 */
export function createEventSender(state: DeliveryState): SendEvent {
  const frames = new NumberedFrames();
  const holding = new Map<Recipient, { user: RecipientUser; numbering: Numbering }>();
  const releases = new TimeSlicedTasks();
  state.onChange = () => {
    if (holding.size > 0 && releases.isIdle) releases.add(releaseAll);
  };

  function releaseAll(): void {
    for (const [connection, { user, numbering }] of holding) {
      releases.add(() => release(connection, user, numbering));
    }
  }

  function hold(connection: Recipient, user: RecipientUser, numbering: Numbering, event: HeldEvent): void {
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
      const position = state.positionAt(end, user, cut, held.firstBehindNext(end.sequence));
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

  function send(connection: Recipient, numbering: Numbering, event: HeldEvent, position: string): void {
    if (event.place.sequence > numbering.newest.sequence) numbering.newest = event.place;
    connection.sendNumbered(frames.of(event.frame, position), event.receivedAt, event.toMany);
  }

  return (user, { place, receivedAt, topic, toMany, pending }, frame) => {
    for (const connection of user.connections) {
      if (!connection.wants(topic)) continue;
      const { numbering } = connection;
      if (numbering === null || place === null) {
        connection.send(frame, receivedAt, toMany);
      } else if (place.sequence > numbering.cut) {
        const position = numbering.held === null ? state.position(user, numbering.cut) : null;
        const event = { place, pending, frame, receivedAt, toMany };
        if (position === null) hold(connection, user, numbering, event);
        else send(connection, numbering, event, position);
      }
    }
  };
}
