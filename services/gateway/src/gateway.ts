import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { createClientAddress, NetworkBans, ReadClaim } from "@parley/auth";
import { heartbeatAckFrame, subjects } from "@parley/contracts";
import type { Database } from "@parley/database";
import type { Messaging } from "@parley/messaging";
import { createTyping, type Presence } from "@parley/presence";
import type { RedisConnection } from "@parley/redis";
import type { Logger } from "@parley/service-runtime";
import { createVoiceRights, type Voice, type VoiceReconciliation, type VoiceRights } from "@parley/voice";
import type { Connection } from "./connection/connection.js";
import { encodeTextFrame } from "./connection/frames.js";
import { createWriteSchedulers, type WriteSchedulers } from "./connection/write-scheduler.js";
import { Continuations } from "./continuing/continuation.js";
import { type Cursors, createCursors } from "./cursors/cursor.js";
import { Positions } from "./cursors/positions.js";
import { Announcer } from "./fan-out/announce.js";
import { ComemberEvents } from "./fan-out/comember-events.js";
import { EventSender } from "./fan-out/event-sender.js";
import { FanOut } from "./fan-out/fan-out.js";
import { Memberships } from "./fan-out/membership.js";
import { ServerEvents } from "./fan-out/server-events.js";
import { UserEvents } from "./fan-out/user-events.js";
import { Hub } from "./hub/hub.js";
import { createMembershipLoader } from "./hub/load-memberships.js";
import { createPartnerLoader } from "./hub/load-partners.js";
import { createPermissionLoader } from "./hub/load-permissions.js";
import { createPresenceLoader } from "./hub/load-presences.js";
import { createViewableLoader, type LoadViewable } from "./hub/load-viewable.js";
import { Interactions } from "./interactions/interactions.js";
import { upgradesCoalesceMs, upgradesSliceMs } from "./limits.js";
import type { GatewayMetrics } from "./metrics.js";
import { createPresenceSubscribe } from "./opcodes/presence-subscribe.js";
import { createPresenceUpdate } from "./opcodes/presence-update.js";
import { createTypingStart } from "./opcodes/typing-start.js";
import { createView } from "./opcodes/view.js";
import { createVoiceSignal } from "./opcodes/voice-signal.js";
import { createFollowedLoader } from "./passive/load-followed.js";
import { createPassiveLoader, defaultPassiveRule, type PassiveRule } from "./passive/load-passive.js";
import { createTallyLoader } from "./passive/load-tallies.js";
import { PassiveServers } from "./passive/passive-servers.js";
import { createReadyBuilder } from "./ready/ready.js";
import { createServerJoinBuilder } from "./ready/server-join.js";
import { createServerStructures, type FindStructures } from "./ready/server-structures.js";
import { TimeSlicedTasks } from "./scheduling/time-sliced-tasks.js";
import { closeBanned } from "./session/banned-networks.js";
import { startBotCheck } from "./session/bot-check.js";
import { ClientMessages } from "./session/client-messages.js";
import { drainConnections } from "./session/drain.js";
import { startIdleSweep } from "./session/idle-sweep.js";
import { Sessions } from "./session/session.js";
import { watchSessionEnds } from "./session/session-ends.js";
import { Upgrades } from "./session/upgrade.js";
import { startVoiceSweep } from "./session/voice-sweep.js";
import { GapFiller } from "./stream/gap.js";
import { StreamWatch } from "./stream/stream-watch.js";
import { Subscriptions } from "./stream/subscriptions.js";

/** Limits that tests choose; by default the constants of limits.ts. */
export interface GatewayLimits {
  readonly idleTimeoutMs?: number;
  readonly idleSweepMs?: number;
  readonly floodCloseAfterMs?: number;
  readonly typingPauseMs?: number;
  readonly botCheckMs?: number;
  readonly passiveRule?: PassiveRule;
  readonly passiveIntervalMs?: number;
}

interface GatewayOptions extends GatewayLimits {
  database: Pick<Database, "query">;
  redis: RedisConnection;
  messaging: Messaging;
  presence: Presence;
  voice: Voice;
  voiceReconciliation: VoiceReconciliation;
  readClaim: ReadClaim;
  networkBans: Pick<NetworkBans, "isBanned" | "onChange">;
  clientAddress: ReturnType<typeof createClientAddress>;
  metrics: GatewayMetrics;
  logger: Logger;
  /** Shared by all gateways: the first signs cursors, all are accepted. */
  cursorSecrets: readonly [string, ...string[]];
  /** Whether clients that offer it get events compressed; by default. */
  isCompressing?: boolean;
}

/** The gateway between an HTTP server and NATS, without the process around it. */
export function createGateway(options: GatewayOptions) {
  const { database, messaging, presence, readClaim, metrics, logger } = options;
  const cursors = createCursors(options.cursorSecrets);
  const writeSchedulers = createWriteSchedulers(metrics.observeFlush);
  const findStructures = createServerStructures({ database });
  const parts = { cursors, writeSchedulers, findStructures };
  const { stream, hub, interactions, passiveServers, positions, subscriptions, fanOut } = createFanOut(options, parts);
  const handshakes = new TimeSlicedTasks({ coalesceMs: upgradesCoalesceMs, growingSliceMs: upgradesSliceMs });
  const surroundings = { hub, stream, positions, handshakes, cursors, metrics, logger };
  const continuations = new Continuations({ ...surroundings, database, messaging });
  const voiceRights = createVoiceRights({ database, voice: options.voice });
  const loadViewable = createViewableLoader({ database });
  const ops = createOps(options, { hub, voiceRights, passiveServers, loadViewable });
  const sessions = new Sessions({
    ...surroundings,
    continuations,
    writeSchedulers,
    presence,
    buildReady: createReadyBuilder({ database, findStructures }),
    interactions,
    passiveServers,
    loadViewable,
    clientMessages: new ClientMessages({ ops, metrics, logger }),
    floodCloseAfterMs: options.floodCloseAfterMs,
  });
  const { networkBans, clientAddress } = options;
  const upgrades = new Upgrades({
    readClaim,
    networkBans,
    clientAddress,
    sessions,
    handshakes,
    logger,
    isCompressing: options.isCompressing ?? true,
  });
  closeBanned({ connections: () => hub.connections(), networkBans });
  const stopChecks = startChecks(options, { hub, voiceRights });
  return {
    onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => upgrades.onUpgrade(request, socket, head),
    /** A plain request: true when it was for the gateway's path and has been answered. */
    onRequest: (request: IncomingMessage, response: ServerResponse) => upgrades.onRequest(request, response),
    /** Starts to follow the stream; rejects when it does not answer. */
    async start(): Promise<void> {
      await stream.start({
        onEvent: (event) => fanOut.dispatch(event),
        onLoss(reason) {
          continuations.clear();
          hub.closeAllForResync(reason);
        },
      });
      subscriptions.add(subjects.liveComembers);
      await subscriptions.confirmed();
    },
    /** Rejects new connections and closes the others with 1001, spread over this many seconds. */
    async drain(seconds: number): Promise<void> {
      upgrades.rejectAll();
      await drainConnections({ hub, sessions, seconds });
      await stopChecks();
      passiveServers.close();
      await interactions.close();
      stream.close();
    },
  };
}

/** From the subscriptions of NATS to the connections of the hub. */
function createFanOut(
  { database, redis, messaging, metrics, logger, passiveRule, passiveIntervalMs }: GatewayOptions,
  {
    cursors,
    writeSchedulers,
    findStructures,
  }: { cursors: Cursors; writeSchedulers: WriteSchedulers; findStructures: FindStructures },
) {
  const stream = new StreamWatch({ messaging, metrics, logger });
  const { highWatermark, lowWatermark } = stream;
  const positions = new Positions(cursors, stream);
  const subscriptions = new Subscriptions({
    messaging,
    highWatermark,
    pendingListener: positions,
    onEvent: (event) => stream.receive(event),
  });
  const sender = new EventSender(positions);
  const announcer = new Announcer({
    sender,
    buildServerJoin: createServerJoinBuilder({ database, findStructures }),
    lowWatermark,
    onJoined: (server, user) => passiveServers.joined(server, user),
    loadPending: (server) => hub.loadPending(server),
  });
  const hub: Hub = new Hub({
    subscriptions,
    loadMemberships: createMembershipLoader({ database }),
    loadPermissions: createPermissionLoader({ database }),
    loadPartners: createPartnerLoader({ database }),
    announce: (server) => announcer.announce(server),
    metrics,
    logger,
  });
  const passiveServers = new PassiveServers({
    hub,
    loadPassive: createPassiveLoader({ database, redis, rule: passiveRule ?? defaultPassiveRule, logger }),
    loadFollowed: createFollowedLoader({ database }),
    loader: createTallyLoader({ database }),
    metrics,
    logger,
    intervalMs: passiveIntervalMs,
  });
  const gaps = new GapFiller({ messaging, metrics });
  const serverEvents = new ServerEvents({ database, hub, gaps, sender, lowWatermark });
  const memberships = new Memberships({ hub, subscriptions, gaps, serverEvents, announcer, stream });
  const interactions = new Interactions({ database, messaging, hub, logger });
  const userEvents = new UserEvents({ hub, memberships, gaps, sender, interactions, lowWatermark });
  const comemberEvents = new ComemberEvents({ hub, presenceWrites: writeSchedulers.lowPriority });
  const fanOut = new FanOut({ hub, serverEvents, userEvents, comemberEvents, metrics });
  return { stream, hub, interactions, passiveServers, positions, subscriptions, fanOut };
}

const heartbeatAck = encodeTextFrame(Buffer.from(heartbeatAckFrame));

/** The ops that clients may send. */
function createOps(
  { database, redis, messaging, presence, voice, typingPauseMs, logger }: GatewayOptions,
  {
    hub,
    voiceRights,
    passiveServers,
    loadViewable,
  }: { hub: Hub; voiceRights: VoiceRights; passiveServers: PassiveServers; loadViewable: LoadViewable },
) {
  return {
    HEARTBEAT: (connection: Connection) => connection.answer(heartbeatAck),
    PRESENCE_UPDATE: createPresenceUpdate({ presence, redis, logger }),
    TYPING_START: createTypingStart(createTyping({ database, redis, messaging, pauseMs: typingPauseMs })),
    VOICE_SIGNAL: createVoiceSignal({ voice, voiceRights, redis, messaging }),
    PRESENCE_SUBSCRIBE: createPresenceSubscribe({ hub, loadPresences: createPresenceLoader({ database }), logger }),
    VIEW: createView({ hub, presence, passiveServers, loadViewable, logger }),
  };
}

/** Starts the periodic checks beside connections. @returns stops them */
function startChecks(options: GatewayOptions, { hub, voiceRights }: { hub: Hub; voiceRights: VoiceRights }) {
  const { database, messaging, presence, voiceReconciliation, logger } = options;
  const connections = () => hub.connections();
  const stopVoiceSweep = startVoiceSweep({ voiceRights, voiceReconciliation, logger });
  const stops = [
    startIdleSweep({ connections, timeoutMs: options.idleTimeoutMs, sweepMs: options.idleSweepMs }),
    startBotCheck({ connections, database, messaging, logger, intervalMs: options.botCheckMs }),
    watchSessionEnds({ messaging, presence }),
  ];
  return async () => {
    for (const stop of stops) stop();
    await stopVoiceSweep();
  };
}
