import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { ReadClaim } from "@parley/auth";
import { subjects } from "@parley/contracts";
import type { Database } from "@parley/database";
import type { Messaging } from "@parley/messaging";
import type { Presence } from "@parley/presence";
import type { RedisConnection } from "@parley/redis";
import type { Logger } from "@parley/service-runtime";
import { createVoiceRights, type Voice, type VoiceReconciliation } from "@parley/voice";
import { createWriteSchedulers } from "./connection/write-scheduler.js";
import { createContinuations } from "./continuing/continuation.js";
import { createMissedEvents } from "./continuing/missed-events.js";
import { createMissedPresences } from "./continuing/missed-presences.js";
import { createVisibleSelection } from "./continuing/replay-rights.js";
import { createReplaySource } from "./continuing/replay-source.js";
import { createCursors } from "./cursors/cursor.js";
import { Positions } from "./cursors/positions.js";
import { createFanOut } from "./fan-out/fan-out.js";
import { createMemberships } from "./fan-out/membership.js";
import { createServerEvents } from "./fan-out/server-events.js";
import { createUserEvents } from "./fan-out/user-events.js";
import { Hub } from "./hub/hub.js";
import { createMembershipLoader } from "./hub/load-memberships.js";
import { createPartnerLoader } from "./hub/load-partners.js";
import { createPermissionLoader } from "./hub/load-permissions.js";
import { createPresenceLoader } from "./hub/load-presences.js";
import { upgradesCoalesceMs, upgradesSliceMs } from "./limits.js";
import type { GatewayMetrics } from "./metrics.js";
import { createCut } from "./numbered/cut.js";
import { createEventSender } from "./numbered/send-event.js";
import { answerHeartbeat } from "./opcodes/heartbeat.js";
import { createPresenceSubscribe } from "./opcodes/presence-subscribe.js";
import { createPresenceUpdate } from "./opcodes/presence-update.js";
import { createTypingStart } from "./opcodes/typing-start.js";
import { createVoiceSignal } from "./opcodes/voice-signal.js";
import { createReadyBuilder } from "./ready/ready.js";
import { TimeSlicedTasks } from "./scheduling/time-sliced-tasks.js";
import { startBotCheck } from "./session/bot-check.js";
import { createMessageReceiver } from "./session/client-messages.js";
import { drainConnections } from "./session/drain.js";
import { startIdleSweep } from "./session/idle-sweep.js";
import { createSessions } from "./session/session.js";
import { watchSessionEnds } from "./session/session-ends.js";
import { createUpgrades } from "./session/upgrade.js";
import { startVoiceSweep } from "./session/voice-sweep.js";
import { createGapFiller } from "./stream/gap.js";
import { StreamWatch } from "./stream/stream-watch.js";
import { createSubscriptions } from "./stream/subscriptions.js";

/** The gateway between an HTTP server and NATS, without the process around it. */
export interface Gateway {
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** A plain request: true when it was for the gateway's path and has been answered. */
  onRequest(request: IncomingMessage, response: ServerResponse): boolean;
  /** Starts to follow the stream; rejects when it does not answer. */
  start(): Promise<void>;
  /** Rejects new connections and closes the others with 1001, spread over this many seconds. */
  drain(seconds: number): Promise<void>;
}

export function createGateway(options: {
  database: Pick<Database, "query">;
  redis: RedisConnection;
  messaging: Messaging;
  presence: Presence;
  voice: Voice;
  voiceReconciliation: VoiceReconciliation;
  readClaim: ReadClaim;
  metrics: GatewayMetrics;
  logger: Logger;
  /** Shared by all gateways: the first signs cursors, all are accepted. */
  cursorSecrets: readonly [string, ...string[]];
  idleTimeoutMs?: number;
  idleSweepMs?: number;
  floodCloseAfterMs?: number;
  botCheckMs?: number;
}): Gateway {
  const { database, redis, messaging, presence, voice, readClaim, metrics, logger } = options;
  const stream = new StreamWatch({ messaging, metrics, logger });
  const cursors = createCursors(options.cursorSecrets);
  const positions = new Positions(cursors, stream);
  const sendEvent = createEventSender(positions);
  const subscriptions = createSubscriptions({
    messaging,
    highWatermark: stream.highWatermark,
    pendingListener: positions,
    onEvent: stream.receive,
  });
  const loadMemberships = createMembershipLoader({ database });
  const loadPermissions = createPermissionLoader({ database });
  const loadPartners = createPartnerLoader({ database });
  const hub = new Hub({ subscriptions, loadMemberships, loadPermissions, loadPartners, metrics, logger });
  const fillGap = createGapFiller({ messaging, metrics });
  const { lowWatermark } = stream;
  const passServerEvent = createServerEvents({ database, hub, fillGap, sendEvent, lowWatermark, metrics });
  const memberships = createMemberships({ hub, subscriptions, fillGap, passServerEvent, stream });
  const passUserEvent = createUserEvents({ hub, memberships, fillGap, sendEvent, lowWatermark });
  const writeSchedulers = createWriteSchedulers(metrics.observeFlush);
  const presenceWrites = writeSchedulers.lowPriority;
  const fanOut = createFanOut({ hub, passServerEvent, passUserEvent, presenceWrites, metrics });
  const voiceRights = createVoiceRights({ database, voice });
  const ops = {
    HEARTBEAT: answerHeartbeat,
    PRESENCE_UPDATE: createPresenceUpdate({ presence, redis, logger }),
    TYPING_START: createTypingStart({ database, redis, messaging }),
    VOICE_SIGNAL: createVoiceSignal({ voice, voiceRights, redis, messaging }),
    PRESENCE_SUBSCRIBE: createPresenceSubscribe({ hub, loadPresences: createPresenceLoader({ database }), logger }),
  };
  const openings = new TimeSlicedTasks({ coalesceMs: upgradesCoalesceMs, growingSliceMs: upgradesSliceMs });
  const makeCut = createCut({ hub, stream, positions, openings });
  const source = createReplaySource({ messaging, highWatermark: stream.highWatermark });
  const selectVisible = createVisibleSelection({ hub, metrics });
  const missedPresences = createMissedPresences({ database });
  const collectMissed = createMissedEvents({ hub, source, selectVisible });
  const sessions = createSessions({
    hub,
    cursors,
    makeCut,
    findContinuation: createContinuations({
      hub,
      database,
      cursors,
      source,
      makeCut,
      collectMissed,
      missedPresences,
      openings,
      logger,
    }),
    openings,
    writeSchedulers,
    presence,
    buildReady: createReadyBuilder({ database }),
    receiveMessage: createMessageReceiver({ ops, metrics, logger }),
    metrics,
    logger,
    floodCloseAfterMs: options.floodCloseAfterMs,
  });
  const upgrades = createUpgrades({ readClaim, sessions, openings, logger });
  const stopVoiceSweep = startVoiceSweep({ voiceRights, voiceReconciliation: options.voiceReconciliation, logger });
  const stopIdleSweep = startIdleSweep({
    connections: () => hub.connections(),
    ...(options.idleTimeoutMs === undefined ? {} : { timeoutMs: options.idleTimeoutMs }),
    ...(options.idleSweepMs === undefined ? {} : { sweepMs: options.idleSweepMs }),
  });
  const stopBotCheck = startBotCheck({
    connections: () => hub.connections(),
    database,
    messaging,
    logger,
    ...(options.botCheckMs === undefined ? {} : { intervalMs: options.botCheckMs }),
  });
  const stopWatchingSessionEnds = watchSessionEnds({ messaging, presence, logger });
  const onLoss = (reason: string) => {
    source.clear();
    hub.closeAllForResync(reason);
  };
  return {
    onUpgrade: upgrades.onUpgrade,
    onRequest: upgrades.onRequest,
    async start() {
      await stream.start({ onEvent: fanOut, onLoss });
      subscriptions.add(subjects.liveComembers);
      await subscriptions.confirmed();
    },
    async drain(seconds) {
      upgrades.rejectAll();
      await drainConnections({ hub, sessions, seconds });
      stopIdleSweep();
      stopBotCheck();
      stopWatchingSessionEnds();
      await stopVoiceSweep();
      stream.close();
    },
  };
}
