import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "@parley/database";
import type { ReceivedEvent } from "@parley/messaging";
import type { Logger } from "@parley/service-runtime";
import type { Connection } from "../connection/connection.js";
import type { Cursors, Position } from "../cursors/cursor.js";
import type { Numbering } from "../cursors/numbering.js";
import { anchorOf } from "../cursors/positions.js";
import { votesOf, withOwnVote } from "../fan-out/poll-votes.js";
import type { Hub } from "../hub/hub.js";
import type { UserEntry } from "../hub/user-entry.js";
import { replayBytesMax, retryPauseMs } from "../limits.js";
import type { MakeCut } from "../numbered/cut.js";
import type { ResyncReason } from "../numbered/ready-frame.js";
import type { TimeSlicedTasks } from "../scheduling/time-sliced-tasks.js";
import { type CollectMissed, firstMissed } from "./missed-events.js";
import type { MissedPresences } from "./missed-presences.js";
import { createReplayPositions, type ReplayedEvent, replayBytes } from "./replay-frames.js";
import { createReplayPace } from "./replay-pace.js";
import type { ReplaySource } from "./replay-source.js";

/** What a connection with a cursor is sent: the missed events and presences, or READY with the reason of the resync. */
export type Continuation =
  | { events: ReplayedEvent[]; bytes: number; presences: readonly Buffer[] | "stale" }
  | { resync: ResyncReason };

/**
 * Decides whether a connection continues from its cursor, when the turn of its user has come. Retries while the stream
 * or the database cannot be read. Null when the connection has been closed.
 */
export type FindContinuation = (connection: Connection, numbering: Numbering) => Promise<Continuation | null>;

export function createContinuations(options: {
  hub: Pick<Hub, "user">;
  database: Pick<Database, "query">;
  cursors: Cursors;
  source: ReplaySource;
  makeCut: MakeCut;
  collectMissed: CollectMissed;
  missedPresences: MissedPresences;
  openings: Pick<TimeSlicedTasks, "turn">;
  logger: Logger;
}): FindContinuation {
  const { hub, database, cursors, source, makeCut, collectMissed, missedPresences, openings, logger } = options;
  const positionsFrom = createReplayPositions(cursors);
  const pace = createReplayPace();

  /** Null when the position belongs to this stream, and the stream still has every event after it. */
  async function rejectPosition(
    user: UserEntry,
    position: Position,
    { first, cut }: { first: number; cut: number },
  ): Promise<ResyncReason | null> {
    const { highest, anchor } = position;
    if (highest > cut) return "unknown";
    if (highest >= first && anchorOf(await source.idOf(highest)) !== anchor) return "unknown";
    return position.pending === null || firstMissed(user, position) < first ? "expired" : null;
  }

  async function attempt(connection: Connection, user: UserEntry, numbering: Numbering): Promise<Continuation> {
    const first = await source.firstSequence();
    await openings.turn();
    const cursor = cursors.read(numbering.cursor, connection.userId);
    if (cursor === null) return { resync: "unknown" };
    const { cut } = numbering;
    const rejected = await rejectPosition(user, cursor.position, { first, cut });
    if (rejected !== null) return { resync: rejected };
    if (cursor.filter !== numbering.filter) return { resync: "filter" };
    if (cursor.memberships !== numbering.memberships) return { resync: "membership" };
    const [presences] = await Promise.all([
      missedPresences(user, connection.query, cursor.position.writtenAt),
      // The range includes the cursor's own event, whose id is read for other connections with the same cursor.
      source.prepare(Math.min(firstMissed(user, cursor.position), cursor.position.highest), cut),
    ]);
    await openings.turn();
    const missed = await collectMissed(connection, user, cursor.position, cut);
    if (typeof missed === "string") return { resync: missed };
    const envelopes = await envelopesFor(user, missed);
    const positionAfter = positionsFrom(cursor.position);
    const events = missed.map((event, index) => ({
      envelope: envelopes[index] ?? event.body,
      position: positionAfter(event),
    }));
    const bytes = replayBytes(events);
    return bytes === null ? { resync: "too_many" } : { events, bytes, presences };
  }

  /** The envelopes for this user: polls contain the user's own vote. */
  async function envelopesFor(user: UserEntry, events: readonly ReceivedEvent[]): Promise<Uint8Array[]> {
    const polls = new Set(events.flatMap(({ pollId }) => (pollId === null ? [] : [pollId])));
    const votes = await votesOf(database, user.id, [...polls]);
    return events.map(({ body, pollId }) => (pollId === null ? body : withOwnVote(body, votes.get(pollId) ?? null)));
  }

  async function find(connection: Connection, numbering: Numbering): Promise<Continuation | null> {
    while (connection.state === "opening") {
      const isCut = numbering.isCut || (await makeCut(connection));
      const user = hub.user(connection.userId);
      if (user === undefined) return null;
      try {
        if (isCut) return await attempt(connection, user, numbering);
      } catch (err) {
        logger.warn({ err }, "a connection cannot continue yet");
      }
      await pause(retryPauseMs);
    }
    return null;
  }

  return (connection, numbering) => pace.run(connection.userId, () => find(connection, numbering), bytesOf);
}

/** What a continuation costs; of too long a replay, as much was read as of the longest. */
function bytesOf(continuation: Continuation | null): number {
  if (continuation === null) return 0;
  if ("resync" in continuation) return continuation.resync === "too_many" ? replayBytesMax : 0;
  return continuation.bytes;
}
