import type { Identity } from "@parley/auth";
import { closeCodes, type Resumed, type ResyncReason } from "@parley/contracts";
import { createConnectionId, type Presence } from "@parley/presence";
import type { Logger } from "@parley/service-runtime";
import type { RawData } from "ws";
import { Connection } from "../connection/connection.js";
import { guardFrames } from "../connection/frame-guard.js";
import type { EndReason, Transport } from "../connection/transport.js";
import type { WriteSchedulers } from "../connection/write-scheduler.js";
import type { Continuations } from "../continuing/continuation.js";
import { readyFrame, resumedFrame } from "../continuing/first-frame.js";
import { type ReplayBoundaryDependencies, setReplayBoundary } from "../continuing/replay-boundary.js";
import { replayChunks } from "../continuing/replay-frames.js";
import type { Cursors } from "../cursors/cursor.js";
import { Numbering } from "../cursors/numbering.js";
import type { Hub } from "../hub/hub.js";
import type { LoadViewable } from "../hub/load-viewable.js";
import type { Interactions } from "../interactions/interactions.js";
import { floodCloseGraceMs } from "../limits.js";
import type { GatewayMetrics } from "../metrics.js";
import type { PassiveServers } from "../passive/passive-servers.js";
import type { ConnectionQuery } from "../query/connection-query.js";
import type { BuildReady } from "../ready/ready.js";
import { UnsentReadies } from "../ready/unsent-readies.js";
import { TimeSlicedTasks } from "../scheduling/time-sliced-tasks.js";
import type { ClientMessages } from "./client-messages.js";

/** The life of authenticated connections. */
export class Sessions {
  readonly #counted = new WeakSet<Connection>();
  readonly #socketEnds = new TimeSlicedTasks();
  readonly #unsentReadies = new UnsentReadies();
  #openSockets = 0;

  constructor(
    private readonly options: ReplayBoundaryDependencies & {
      hub: Hub;
      cursors: Cursors;
      continuations: Continuations;
      writeSchedulers: WriteSchedulers;
      presence: Pick<Presence, "connect" | "disconnect" | "setView">;
      passiveServers: PassiveServers;
      loadViewable: LoadViewable;
      buildReady: BuildReady;
      interactions: Pick<Interactions, "opened" | "ended">;
      clientMessages: ClientMessages;
      metrics: GatewayMetrics;
      logger: Logger;
      floodCloseAfterMs?: number | undefined;
    },
  ) {}

  /** Number of sockets that are not closed, those with a close frame under way included. */
  get openSockets(): number {
    return this.#openSockets;
  }

  create(identity: Identity, query: ConnectionQuery, address: string): Connection {
    const { cursors, writeSchedulers, metrics } = this.options;
    const { userId, sessionVersion } = identity;
    const numbering = query.cursor === null ? null : new Numbering(query.cursor, userId, query, cursors);
    return new Connection(
      {
        id: createConnectionId(query.shard?.index ?? null),
        userId,
        isBot: identity.kind === "bot",
        sessionVersion,
        sessionId: identity.kind === "user" ? identity.sessionId : null,
        query,
        address,
        numbering,
      },
      { writeSchedulers, metrics, onEnd: this.#end },
    );
  }

  /**
   * Registers the connection before the upgrade is answered, so that every event after the answer waits in it. Rejects
   * when the memberships cannot be read; the caller must still run or detach the connection.
   */
  async begin(connection: Connection): Promise<void> {
    await this.options.hub.add(connection);
    await this.options.passiveServers.begin(connection);
    if (connection.numbering !== null) await setReplayBoundary(connection, this.options);
  }

  /** Called after the upgrade: sends READY, then events, until the socket closes. */
  run(connection: Connection, transport: Transport): void {
    const { clientMessages, metrics, floodCloseAfterMs } = this.options;
    this.#openSockets += 1;
    const { webSocket } = transport;
    guardFrames(transport, {
      closeAfterMs: floodCloseAfterMs,
      onDropped(frames) {
        metrics.messagesDropped += frames;
      },
      onFlood() {
        connection.close(closeCodes.policyViolation);
        // The client's close frame may be queued behind everything else that it sent.
        setTimeout(() => webSocket.terminate(), floodCloseGraceMs).unref();
      },
    });
    webSocket.on("message", (data, isBinary) => clientMessages.receive(connection, bytesOf(data), isBinary));
    webSocket.on("close", (code) => {
      this.#socketEnds.add(() => {
        this.#openSockets -= 1;
        connection.detach(code);
      });
    });
    connection.attach(transport);
    if (connection.state === "opening") void this.#start(connection);
  }

  /** Registers the presence before READY is read, so that READY contains the resulting status. */
  async #start(connection: Connection): Promise<void> {
    const { presence, handshakes } = this.options;
    this.#counted.add(connection);
    await presence.connect(connection.userId, connection.id, { isNumbered: isNumbered(connection) });
    if (connection.query.view !== null && connection.query.view.length > 0) void this.#noteView(connection);
    await handshakes.enter();
    // Otherwise it closed during the registration, and `#end` has unregistered it.
    if (connection.state !== "opening") return;
    const { numbering } = connection;
    if (numbering === null || numbering.cursor === "") await this.#sendReady(connection, null);
    else await this.#continue(connection, numbering);
    this.options.interactions.opened(connection);
  }

  async #continue(connection: Connection, numbering: Numbering): Promise<void> {
    const { continuations, passiveServers, metrics } = this.options;
    const continuation = await continuations.find(connection, numbering);
    if (continuation === null) return;
    if ("resync" in continuation) {
      metrics.resyncs[continuation.resync] += 1;
      await this.#sendReady(connection, continuation.resync);
      return;
    }
    const { events, presences } = continuation;
    const isStale = presences === "stale";
    const last = await connection.replay(replayChunks(events, numbering.sessionTag, isStale ? [] : presences));
    const passive = passiveServers.of(connection) ?? undefined;
    const payload: Resumed = { replayed: events.length, presence: isStale ? "stale" : "current", passive };
    // One buffer: a write of several costs more than the copy.
    connection.open([Buffer.concat([...last, resumedFrame(payload, numbering)])]);
    metrics.resumed += 1;
    metrics.eventsReplayed += events.length;
    passiveServers.resumed(connection, continuation);
  }

  /** Notes the channels that a connection shows from the beginning, so that the user gets no push for them. */
  async #noteView(connection: Connection): Promise<void> {
    const { presence, loadViewable, logger } = this.options;
    try {
      const channelIds = await loadViewable({ userId: connection.userId, channelIds: connection.query.view ?? [] });
      // A VIEW of the client is newer, also while it has no answer yet.
      if (!connection.hasNamedView) await presence.setView(connection.id, channelIds);
    } catch (err) {
      logger.warn({ err, user_id: connection.userId }, "what a connection shows was not noted");
    }
  }

  readonly #end = (connection: Connection, reason: EndReason): void => {
    const { hub, presence, interactions } = this.options;
    hub.remove(connection);
    interactions.ended(connection);
    if (!this.#counted.has(connection)) return;
    void presence.disconnect(connection.userId, connection.id, { isLost: !isFinal(reason) });
  };

  async #sendReady(connection: Connection, resync: ResyncReason | null): Promise<void> {
    const { buildReady, passiveServers, metrics, logger } = this.options;
    try {
      const frame = await buildReady(connection.userId, connection.query);
      if (frame === null) {
        connection.close(closeCodes.goingAway);
        return;
      }
      const onTaken = this.#unsentReadies.add(connection.userId, frame);
      if (onTaken === null) {
        connection.closeAsSlow();
        return;
      }
      const { numbering } = connection;
      connection.open(readyFrame(frame, { numbering, resync, passive: passiveServers.of(connection) }), onTaken);
      metrics.observeReady(performance.now() - connection.startedAt);
    } catch (err) {
      logger.warn({ err }, "READY failed");
      connection.close(closeCodes.goingAway);
    }
  }
}

/** Whether its client may continue it; its loss then keeps the user's presence for a while (docs/protocol/continuing.md#19.4). */
export function isNumbered({ numbering }: Pick<Connection, "numbering">): boolean {
  return numbering !== null;
}

/** The code that ws reports for a close frame without one. */
const noCode = 1005;
const farewells: readonly number[] = [closeCodes.normal, closeCodes.goingAway, noCode];

/** Whether the client does not mean to continue, or cannot (docs/protocol/continuing.md#19.4). */
function isFinal(reason: EndReason): boolean {
  return reason === "session ended" || (reason !== null && farewells.includes(reason));
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
