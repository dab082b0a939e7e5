import { setTimeout as pause } from "node:timers/promises";
import type { ResyncReason } from "@parley/contracts";
import type { Database } from "@parley/database";
import type { Messaging, ReceivedEvent } from "@parley/messaging";
import type { Logger } from "@parley/service-runtime";
import type { Connection } from "../connection/connection.js";
import type { Cursors, Position } from "../cursors/cursor.js";
import type { Numbering } from "../cursors/numbering.js";
import { anchorOf } from "../cursors/positions.js";
import { votesOf, withOwnVote } from "../fan-out/poll-votes.js";
import { bodyFor } from "../fan-out/versions.js";
import type { Hub } from "../hub/hub.js";
import type { UserEntry } from "../hub/user-entry.js";
import { replayBytesMax, retryPauseMs } from "../limits.js";
import type { GatewayMetrics } from "../metrics.js";
import { collectMissed, firstMissed, type Missed } from "./missed-events.js";
import { MissedPresences } from "./missed-presences.js";
import { type ReplayBoundaryDependencies, setReplayBoundary } from "./replay-boundary.js";
import { createReplayPositions, type ReplayedEvent, replayBytes } from "./replay-frames.js";
import { createReplayPace } from "./replay-pace.js";
import { createReplayReader, type ReplayReader } from "./replay-reader.js";
import { ReplayRights } from "./replay-rights.js";

/**
 * The frames for a connection with a cursor: the missed events and presences, or READY with the reason of the resync.
 */
export type Continuation =
  | {
      events: ReplayedEvent[];
      bytes: number;
      presences: readonly Buffer[] | "stale";
      /** By server: the channels with omitted events. */
      leftOut: Missed["leftOut"];
      /** When the client got its last frame, in seconds since 1970. */
      since: number;
    }
  | { resync: ResyncReason };

/** Decides whether connections continue from their cursors. */
export class Continuations {
  readonly #positionsFrom;
  readonly #pace = createReplayPace();
  readonly #reader: ReplayReader;
  readonly #rights: ReplayRights;
  readonly #presences: MissedPresences;

  constructor(
    private readonly options: ReplayBoundaryDependencies & {
      hub: Hub;
      database: Pick<Database, "query">;
      cursors: Cursors;
      messaging: Messaging;
      metrics: GatewayMetrics;
      logger: Logger;
    },
  ) {
    const { hub, database, cursors, messaging, stream } = options;
    this.#positionsFrom = createReplayPositions(cursors);
    this.#reader = createReplayReader({ messaging, highWatermark: stream.highWatermark });
    this.#rights = new ReplayRights({ hub });
    this.#presences = new MissedPresences(database);
  }

  /**
   * Prepares the continuation of a connection when its user's turn comes. Retries while the gateway cannot read the
   * stream or the database. Null when the connection closed meanwhile.
   */
  find(connection: Connection, numbering: Numbering): Promise<Continuation | null> {
    return this.#pace.run(connection.userId, () => this.#attemptUntilClosed(connection, numbering), bytesOf);
  }

  /** The stream was lost or created anew. */
  clear(): void {
    this.#reader.clear();
  }

  async #attemptUntilClosed(connection: Connection, numbering: Numbering): Promise<Continuation | null> {
    const { hub, logger } = this.options;
    while (connection.state === "opening") {
      const hasReplayBoundary = numbering.hasReplayBoundary || (await setReplayBoundary(connection, this.options));
      const user = hub.user(connection.userId);
      if (user === undefined) return null;
      try {
        if (hasReplayBoundary) return await this.#attempt(connection, user, numbering);
      } catch (err) {
        logger.warn({ err }, "a connection cannot continue yet");
      }
      await pause(retryPauseMs);
    }
    return null;
  }

  async #attempt(connection: Connection, user: UserEntry, numbering: Numbering): Promise<Continuation> {
    const { hub, cursors, handshakes } = this.options;
    const reader = this.#reader;
    const first = await reader.firstSequence();
    await handshakes.enter();
    const cursor = cursors.read(numbering.cursor, connection.userId);
    if (cursor === null) return { resync: "unknown" };
    const { position } = cursor;
    const { replayBoundary: boundary } = numbering;
    const rejected = await this.#rejectPosition(user, position, { first, boundary });
    if (rejected !== null) return { resync: rejected };
    if (cursor.filter !== numbering.filter) return { resync: "filter" };
    if (cursor.memberships !== numbering.memberships) return { resync: "membership" };
    const [presences] = await Promise.all([
      this.#presences.framesFor(user, connection.query, position.writtenAt),
      // The range includes the cursor's own event, whose id is read for other connections with the same cursor.
      reader.prepare(Math.min(firstMissed(user, position), position.highest), boundary),
    ]);
    await handshakes.enter();
    const missed = await collectMissed(connection, { user, cursor, boundary }, { hub, reader, rights: this.#rights });
    if (typeof missed === "string") return { resync: missed };
    const envelopes = await this.#envelopesFor(user, connection.query, missed.events);
    const positionAfter = this.#positionsFrom(position);
    const events = missed.events.map((event, index) => ({
      envelope: envelopes[index] ?? event.body,
      position: positionAfter(event),
    }));
    const bytes = replayBytes(events, numbering.sessionTag);
    if (bytes === null) return { resync: "too_many" };
    return { events, bytes, presences, leftOut: missed.leftOut, since: position.writtenAt };
  }

  /** Null when the position belongs to this stream, and the stream still has every event after it. */
  async #rejectPosition(
    user: UserEntry,
    position: Position,
    { first, boundary }: { first: number; boundary: number },
  ): Promise<ResyncReason | null> {
    const { highest, anchor } = position;
    if (highest > boundary) return "unknown";
    if (highest >= first && anchorOf(await this.#reader.idOf(highest)) !== anchor) return "unknown";
    return position.pending === null || firstMissed(user, position) < first ? "expired" : null;
  }

  /** The envelopes for this user and the connection's version: polls contain the user's own vote. */
  async #envelopesFor(
    user: UserEntry,
    { version }: Connection["query"],
    events: readonly ReceivedEvent[],
  ): Promise<Uint8Array[]> {
    const polls = new Set(events.flatMap(({ pollId }) => (pollId === null ? [] : [pollId])));
    const votes = await votesOf(this.options.database, user.id, [...polls]);
    return events.map((event) => {
      const body = bodyFor(version, event);
      return event.pollId === null ? body : withOwnVote(body, votes.get(event.pollId) ?? []);
    });
  }
}

/** The cost of a continuation; a replay that is too long costs as much as the longest. */
function bytesOf(continuation: Continuation | null): number {
  if (continuation === null) return 0;
  if ("resync" in continuation) return continuation.resync === "too_many" ? replayBytesMax : 0;
  return continuation.bytes;
}
