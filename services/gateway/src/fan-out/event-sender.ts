import { closeCodes } from "@parley/contracts";
import type { ReceivedEvent } from "@parley/messaging";
import type { Connection } from "../connection/connection.js";
import { NumberedFrames } from "../connection/frames.js";
import { HeldEvents, type PassedEvent, type StreamPlace } from "../cursors/deferred-events.js";
import type { PendingEvents } from "../cursors/pending-events.js";
import type { Follower, Positions } from "../cursors/positions.js";
import type { Numbering } from "../cursors/resumption.js";
import { fewRecipientsMax, unsentBytesMax } from "../limits.js";
import type { Topic } from "../query/connection-query.js";
import { TimeSlicedTasks } from "../scheduling/time-sliced-tasks.js";

type StoredEvent = PassedEvent<StreamPlace>;
type AnyEvent = StoredEvent | PassedEvent<null>;

/**
 * @param entry the server or user that the event belongs to
 * @param frame frame of the event, or of the variant that these recipients get
 * @param recipients number of users on this node who get the frame
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
 * Sends passed events. While a user has more pending subscriptions than a cursor has room for, events for their numbered
 * connections are held; they are sent in the order of the stream as soon as a cursor has room
 * (docs/architecture.md#continuing). A connection with more than {@link unsentBytesMax} held is closed.
 */
export class EventSender {
  readonly #positions: Positions;
  readonly #frames = new NumberedFrames();
  readonly #holding = new Map<Recipient, { user: RecipientUser; numbering: Numbering }>();
  readonly #releases = new TimeSlicedTasks();

  constructor(positions: Positions) {
    this.#positions = positions;
    positions.onChange = () => {
      if (this.#holding.size > 0 && this.#releases.isIdle) this.#releases.add(this.#releaseAll);
    };
  }

  /**
   * Sends an event that is being passed on to the connections of a user that want it, a stored one with its cursor to
   * those that are numbered.
   */
  send(user: RecipientUser, event: AnyEvent, topic: Topic): void {
    for (const connection of user.connections) {
      if (!connection.wants(topic)) continue;
      const { numbering } = connection;
      if (numbering === null || event.place === null) {
        connection.send(event.frame, event.receivedAt, event.toMany);
      } else if (event.place.sequence > numbering.cut) {
        const position = numbering.held === null ? this.#positions.position(user, numbering.cut) : null;
        if (position === null) this.#hold(connection, user, numbering, event);
        else this.#sendNumbered(connection, numbering, event, position);
      }
    }
  }

  readonly #releaseAll = () => {
    for (const [connection, { user, numbering }] of this.#holding) {
      this.#releases.add(() => this.#release(connection, user, numbering));
    }
  };

  #hold(connection: Recipient, user: RecipientUser, numbering: Numbering, event: StoredEvent): void {
    numbering.held ??= new HeldEvents();
    numbering.held.add(event);
    this.#holding.set(connection, { user, numbering });
    this.#release(connection, user, numbering);
  }

  /** Sends the held events in order, up to the first one whose position does not fit. */
  #release(connection: Recipient, user: RecipientUser, numbering: Numbering): void {
    const { held, cut } = numbering;
    if (held === null || connection.state === "closed") {
      this.#holding.delete(connection);
      return;
    }
    for (let { next } = held; next !== undefined; { next } = held) {
      // A position below `newest` would make a replay repeat events that were sent already.
      const end = next.place.sequence > numbering.newest.sequence ? next.place : numbering.newest;
      const position = this.#positions.positionAt(end, user, cut, held.firstBehindNext(end.sequence));
      if (position === null) {
        // Deferred, because closing changes the audience that the caller iterates over.
        if (held.byteLength > unsentBytesMax) this.#releases.add(() => connection.close(closeCodes.goingAway));
        return;
      }
      held.removeNext();
      this.#sendNumbered(connection, numbering, next, position);
    }
    numbering.held = null;
    this.#holding.delete(connection);
  }

  #sendNumbered(connection: Recipient, numbering: Numbering, event: StoredEvent, position: string): void {
    if (event.place.sequence > numbering.newest.sequence) numbering.newest = event.place;
    connection.sendNumbered(this.#frames.of(event.frame, position), event.receivedAt, event.toMany);
  }
}
