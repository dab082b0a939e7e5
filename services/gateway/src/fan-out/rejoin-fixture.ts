import { randomUUID } from "node:crypto";
import { createEvent, dispatchFrame } from "@parley/contracts";
import type { ReceivedEvent } from "@parley/messaging";
import { createLogger, createMetrics } from "@parley/service-runtime";
import { Connection } from "../connection/connection.js";
import { encodeTextFrame } from "../connection/frames.js";
import { attachRecorded } from "../connection/recorded-connection-fixture.js";
import { WriteScheduler } from "../connection/write-scheduler.js";
import { createCursors } from "../cursors/cursor.js";
import { Numbering } from "../cursors/numbering.js";
import { PendingEvents } from "../cursors/pending-events.js";
import { Positions } from "../cursors/positions.js";
import { messageOf } from "../gateway-fixture.js";
import { Hub } from "../hub/hub.js";
import type { PermissionAnswer } from "../hub/load-permissions.js";
import { createGatewayMetrics } from "../metrics.js";
import { type ConnectionQuery, defaultQuery } from "../query/connection-query.js";
import { StreamPosition } from "../stream/stream-position.js";
import { Announcer } from "./announce.js";
import { memberOf } from "./changes-fixture.js";
import { ComemberEvents } from "./comember-events.js";
import { EventSender } from "./event-sender.js";
import { FanOut } from "./fan-out.js";
import { receivedLive } from "./hub-fixture.js";
import { Memberships } from "./membership.js";
import { ServerEvents } from "./server-events.js";
import { UserEvents } from "./user-events.js";

const [server_id, channel_id] = [randomUUID(), randomUUID()];
const [user_id, ownerId] = [randomUUID(), randomUUID()];
const cursors = createCursors(["0123456789abcdef0123456789abcdef"]);
const turn = () => new Promise<void>((done) => setImmediate(done));

/** One user's memberships of one server as the database and the stream have them. */
export class History {
  readonly events: ReceivedEvent[] = [];
  readonly #lastOf = new Map<string, number>();
  /** How many memberships have begun. */
  memberships: number;

  constructor(public isMember: boolean) {
    this.memberships = Number(isMember);
  }

  join(): void {
    if (this.isMember) return;
    this.isMember = true;
    this.memberships += 1;
    this.#store(createEvent("SERVER_JOINED", { user_id }, { server_id, user_id }));
    this.#store(createEvent("MEMBER_JOIN", { server_id }, { server_id, member: memberOf(user_id) }));
  }

  leave(): void {
    if (!this.isMember) return;
    this.isMember = false;
    const left = { server_id, user_id, reason: "left" } as const;
    this.#store(createEvent("MEMBER_LEAVE", { server_id }, left));
    this.#store(createEvent("SERVER_LEFT", { user_id }, left));
  }

  /** A message that every member gets. */
  post(): void {
    this.#store(createEvent("MESSAGE_CREATE", { server_id, channel_id }, messageOf(channel_id, "hello")));
  }

  /** Nodes read the server's rights before the next message. */
  changeRights(): void {
    this.#store(createEvent("ROLE_DELETE", { server_id }, { server_id, role_id: randomUUID() }));
  }

  #store(event: ReturnType<typeof createEvent>): void {
    const received = receivedLive(event);
    const sequence = this.events.length + 1;
    const stored = { sequence, previousSequence: this.#lastOf.get(received.subject) ?? 0 };
    this.#lastOf.set(received.subject, sequence);
    this.events.push({ ...received, stored, id: randomUUID() });
  }
}

/** A connection of the user without a client, and its frames. */
export interface Listener {
  readonly connection: Connection;
  /** Whether READY had the server; null before READY. */
  wasIn: boolean | null;
  /** The names of the events since. */
  readonly events: string[];
}

/**
 * One node. The test decides when the database answers and when events arrive; a statement returns the state at its
 * beginning.
 *
 * @param hasOwner whether a member who stays in the server is connected
 */
export function createNode(history: History, hasOwner: boolean) {
  const metrics = createGatewayMetrics(createMetrics().registry);
  const logger = createLogger({ service: "gateway", level: "silent", nodeId: "test" });
  // No pause by a timer between two flushes, so that turns of the event loop are enough to become quiet.
  const scheduler = () => new WriteScheduler(() => {}, 0);
  const writeSchedulers = { highPriority: scheduler(), mediumPriority: scheduler(), lowPriority: scheduler() };
  const answers: (() => void)[] = [];
  let heard = 0;
  const later = <T>(answer: T) => new Promise<T>((resolve) => answers.push(() => resolve(answer)));
  const isMember = (id: string) => id === ownerId || history.isMember;
  const highWatermark = () => heard;
  const positions = new Positions(cursors, { highWatermark, highWatermarkId: () => history.events[heard - 1]?.id });
  const sender = new EventSender(positions);
  const subscriptions = {
    add: (pattern: string, startAfter?: number) => ({
      position: new StreamPosition(heard, startAfter ?? null),
      unsubscribe: () => {},
      pending: new PendingEvents(pattern, positions),
    }),
    confirmed: () => Promise.resolve(),
  };
  const announcer = new Announcer({
    sender,
    buildServerJoin: (_, users) => {
      const frame = encodeTextFrame(Buffer.from(dispatchFrame("SERVER_JOIN", JSON.stringify({ server: server_id }))));
      return later(new Map(users.flatMap(({ id }) => (isMember(id) ? [[id, frame] as const] : []))));
    },
    lowWatermark: highWatermark,
    onJoined: () => {},
    loadPending: (server) => hub.loadPending(server),
  });
  const hub: Hub = new Hub({
    subscriptions,
    loadMemberships: (id) => later(isMember(id) ? [{ serverId: server_id, roles: [] }] : []),
    loadPermissions: ({ userIds }) => later(permissionsOf(userIds.filter(isMember))),
    loadPartners: () => later([]),
    announce: (server) => announcer.announce(server),
    metrics,
    logger,
  });
  const gaps = {
    async fill({ from, to = heard }: { from: number; to?: number }, onEvent: (event: ReceivedEvent) => unknown) {
      for (const event of history.events.slice(from - 1, to)) {
        if (event.address.scope.kind === "server") await onEvent({ ...event, recovered: true });
      }
      return true;
    },
  };
  const database = { query: () => Promise.reject(new Error("no polls here")) };
  const serverEvents = new ServerEvents({ database, hub, gaps, sender, lowWatermark: highWatermark });
  const stream = { synchronise: () => later(true), highWatermark };
  const memberships = new Memberships({ hub, subscriptions, gaps, serverEvents, announcer, stream });
  const interactions = { claimFor: () => {} };
  const userEvents = new UserEvents({ hub, memberships, gaps, sender, interactions, lowWatermark: highWatermark });
  const comemberEvents = new ComemberEvents({ hub, presenceWrites: writeSchedulers.lowPriority });
  const fanOut = new FanOut({ hub, serverEvents, userEvents, comemberEvents, metrics });

  const createConnection = (userId: string, query: ConnectionQuery) =>
    new Connection(
      {
        id: randomUUID(),
        userId,
        isBot: false,
        sessionVersion: 0,
        sessionId: null,
        query,
        numbering: query.cursor === null ? null : new Numbering("", userId, query, cursors),
      },
      { writeSchedulers, metrics, onEnd: (ended) => hub.remove(ended) },
    );

  const node = {
    listeners: [] as Listener[],
    /** How many times connections were closed because they might have missed events. */
    get resynchronisations() {
      return metrics.resynchronisations;
    },
    /** The user connects; resolves after READY. */
    async connect(isNumbered: boolean) {
      const query = { ...defaultQuery, version: 2, watchesMembers: true, cursor: isNumbered ? "" : null } as const;
      const connection = createConnection(user_id, query);
      const listener: Listener = { connection, wasIn: null, events: [] };
      attachRecorded(connection, (frames) => {
        for (const frame of frames) {
          const { t, d } = JSON.parse(frame);
          if (t === "READY") listener.wasIn = d.wasIn;
          else listener.events.push(t);
        }
      });
      node.listeners.push(listener);
      await hub.add(connection);
      const stored = history.events.length;
      while (heard < stored) await node.hear();
      const servers = hub.user(user_id)?.servers ?? [];
      connection.numbering?.setReplayBoundary({ sequence: heard, position: positions.completePosition(), servers });
      const wasIn = await later(history.isMember);
      connection.open([encodeTextFrame(Buffer.from(dispatchFrame("READY", JSON.stringify({ wasIn }))))]);
    },
    disconnect: () => node.listeners.shift()?.connection.close(1000),
    /** The next events arrive together. */
    async hear(count = 1) {
      for (const event of history.events.slice(heard, heard + count)) {
        heard += 1;
        fanOut.dispatch(event);
      }
      await turn();
    },
    /** The database answers the oldest statement. */
    async answer() {
      answers.shift()?.();
      await turn();
    },
    async becomeQuiet() {
      // A statement may follow an answer, and frames are written, in a later turn.
      for (let idleTurns = 0; idleTurns < 3; idleTurns++) {
        if (heard < history.events.length || answers.length > 0) idleTurns = 0;
        await node.hear();
        await node.answer();
        await turn();
      }
    },
  };
  if (hasOwner) void hub.add(createConnection(ownerId, defaultQuery));
  return node;
}

function permissionsOf(memberIds: readonly string[]): PermissionAnswer {
  return {
    rules: {
      ownerId,
      administratorRoles: new Set(),
      viewingRoles: new Set(),
      everyone: { permissions: 0, rights: 0 },
      roleRights: new Map(),
      channels: new Map([[channel_id, null]]),
    },
    members: new Map(memberIds.map((id) => [id, []])),
    isLarge: false,
  };
}
