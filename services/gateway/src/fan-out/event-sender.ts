import { closeCodes } from "@parley/contracts";
import type { ReceivedEvent } from "@parley/messaging";
import type { Connection } from "../connection/connection.js";
import { NumberedFrames } from "../connection/frames.js";
import { sessionTagLength, viewSessionTagLength } from "../cursors/cursor.js";
import { DeferredEvents, type DispatchedEvent, type StoredAt } from "../cursors/deferred-events.js";
import type { Numbering } from "../cursors/numbering.js";
import type { PendingEvents } from "../cursors/pending-events.js";
import type { Follower, Positions } from "../cursors/positions.js";
import { unsentBytesMax } from "../limits.js";
import type { Topic } from "../query/connection-query.js";
import { TimeSlicedTasks } from "../scheduling/time-sliced-tasks.js";

type StoredEvent = DispatchedEvent<StoredAt>;
type AnyEvent = StoredEvent | DispatchedEvent<null>;

/**
 * @param entry the server or user that the event belongs to
 * @param frame frame of the event, or of the variant that these recipients get
 * @param recipients number of users on this node who get the frame
 */
export function dispatchedEvent(
  entry: { subscription: { pending: PendingEvents } },
  { stored, id, receivedAt }: Pick<ReceivedEvent, "stored" | "id" | "receivedAt">,
  frame: Buffer,
  recipients: number,
): AnyEvent {
  const { pending } = entry.subscription;
  if (stored === null) return { stored: null, pending, frame, receivedAt, recipients };
  return { stored: { sequence: stored.sequence, id }, pending, frame, receivedAt, recipients };
}

/** A connection as events are sent to it. */
export type Recipient = Pick<Connection, "numbering" | "state" | "shown" | "wants" | "send" | "sendNumbered" | "close">;

/** A user with connections to this node. */
export interface RecipientUser extends Follower {
  readonly connections: Iterable<Recipient>;
}

/**
 * Sends dispatched events. While a user has more pending subscriptions than a cursor has room for, events for their
 * numbered connections are deferred; they are sent in the order of the stream as soon as a cursor has room
 * (docs/processes/gateway.md#continuing). A connection with more than {@link unsentBytesMax} deferred is closed.
 */
export class EventSender {
  readonly #positions: Positions;
  readonly #frames = new NumberedFrames(sessionTagLength);
  readonly #viewFrames = new NumberedFrames(viewSessionTagLength);
  readonly #deferring = new Map<Recipient, { user: RecipientUser; numbering: Numbering }>();
  readonly #releases = new TimeSlicedTasks();

  constructor(positions: Positions) {
    this.#positions = positions;
    positions.onChange = () => {
      if (this.#deferring.size > 0 && this.#releases.isIdle) this.#releases.add(this.#releaseAll);
    };
  }

  /**
   * Sends an event that is being dispatched to the connections of a user that want it, a stored one with its cursor to
   * those that are numbered.
   */
  send(user: RecipientUser, event: AnyEvent, topic: Topic): void {
    for (const connection of user.connections) {
      if (!connection.wants(topic)) continue;
      const { numbering } = connection;
      if (numbering === null || event.stored === null) {
        connection.send(event.frame, event.receivedAt, event.recipients);
      } else if (event.stored.sequence > numbering.replayBoundary) {
        const position = numbering.deferred === null ? this.#positions.position(user, numbering.replayBoundary) : null;
        if (position === null) this.#defer(connection, user, numbering, event);
        else this.#sendNumbered(connection, numbering, event, position);
      }
    }
  }

  readonly #releaseAll = () => {
    for (const [connection, { user, numbering }] of this.#deferring) {
      this.#releases.add(() => this.#release(connection, user, numbering));
    }
  };

  #defer(connection: Recipient, user: RecipientUser, numbering: Numbering, event: StoredEvent): void {
    numbering.deferred ??= new DeferredEvents();
    numbering.deferred.add(event);
    this.#deferring.set(connection, { user, numbering });
    this.#release(connection, user, numbering);
  }

  /** Sends the deferred events in order, up to the first one whose position does not fit. */
  #release(connection: Recipient, user: RecipientUser, numbering: Numbering): void {
    const { deferred, replayBoundary: boundary } = numbering;
    if (deferred === null || connection.state === "closed") {
      this.#deferring.delete(connection);
      return;
    }
    for (let { next } = deferred; next !== undefined; { next } = deferred) {
      // A position below `newest` would make a replay repeat events that were sent already.
      const end = next.stored.sequence > numbering.newest.sequence ? next.stored : numbering.newest;
      const position = this.#positions.positionAt(end, user, boundary, deferred.firstBehindNext(end.sequence));
      if (position === null) {
        // Deferred, because closing changes the audience that the caller iterates over.
        if (deferred.byteLength > unsentBytesMax) this.#releases.add(() => connection.close(closeCodes.goingAway));
        return;
      }
      deferred.removeNext();
      this.#sendNumbered(connection, numbering, next, position);
    }
    numbering.deferred = null;
    this.#deferring.delete(connection);
  }

  #sendNumbered(connection: Recipient, numbering: Numbering, event: StoredEvent, position: string): void {
    if (event.stored.sequence > numbering.newest.sequence) numbering.newest = event.stored;
    const frames = connection.shown === null ? this.#frames : this.#viewFrames;
    connection.sendNumbered(frames.of(event.frame, position), event.receivedAt, event.recipients);
  }
}
