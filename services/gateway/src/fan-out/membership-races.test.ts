import { randomUUID } from "node:crypto";
import { createEvent } from "@parley/contracts";
import { createLogger, createMetrics } from "@parley/service-runtime";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Connection } from "../connection/connection.js";
import { createWriteSchedulers } from "../connection/write-scheduler.js";
import { PendingEvents } from "../cursors/pending-events.js";
import { Hub } from "../hub/hub.js";
import type { PermissionAnswer } from "../hub/load-permissions.js";
import { createGatewayMetrics } from "../metrics.js";
import { defaultQuery } from "../query/connection-query.js";
import { StreamPosition } from "../stream/stream-position.js";
import type { Subscriptions } from "../stream/subscriptions.js";
import { receivedLive } from "./hub-fixture.js";
import { Memberships } from "./membership.js";

const serverId = "server";
const userId = "user";

/**
 * One node, one server and one user. The test decides when the database answers and when events arrive; a statement
 * returns the state at its beginning.
 */
function createWorld() {
  const metrics = createGatewayMetrics(createMetrics().registry);
  const logger = createLogger({ service: "gateway", level: "silent", nodeId: "test" });
  const answers: (() => void)[] = [];
  let isMember = false;
  let sequence = 0;
  const later = <T>(answer: T) => new Promise<T>((resolve) => answers.push(() => resolve(answer)));
  const subscriptions: Pick<Subscriptions, "add" | "confirmed"> = {
    add: (_pattern, startAfter) => ({
      position: new StreamPosition(sequence, startAfter),
      unsubscribe: () => {},
      pending: new PendingEvents("", { changed: () => {} }),
    }),
    confirmed: () => Promise.resolve(),
  };
  const loadPermissions = ({ userIds }: { userIds: readonly string[] }): Promise<PermissionAnswer> =>
    later({
      rules: {
        ownerId: "owner",
        administratorRoles: new Set(),
        viewingRoles: new Set(),
        everyone: { permissions: 0, rights: 0 },
        roleRights: new Map(),
        channels: new Map(),
      },
      members: new Map(isMember ? userIds.map((id) => [id, []]) : []),
      isLarge: false,
    });
  const loadMemberships = () => later(isMember ? [{ serverId, roles: [] }] : []);
  const loadPartners = () => later([]);
  const announce = () => Promise.resolve();
  const hub = new Hub({ subscriptions, loadMemberships, loadPermissions, loadPartners, announce, metrics, logger });
  const gaps = { fill: () => Promise.resolve(true) };
  const stream = { synchronise: () => later(true), highWatermark: () => 0 };
  const [serverEvents, announcer] = [{ dispatch: () => {} }, { leave: () => {} }];
  const memberships = new Memberships({ hub, subscriptions, gaps, serverEvents, announcer, stream });
  const writeSchedulers = createWriteSchedulers();
  /** Events on their way to the node. */
  const events: { joined: boolean; sequence: number }[] = [];
  const connections: Connection[] = [];
  const turn = () => new Promise<void>((done) => setImmediate(done));

  const world = {
    hub,
    turn,
    get isMember() {
      return isMember;
    },
    get waitingAnswers() {
      return answers.length;
    },
    /** Whether the node dispatches the server's events to the user. */
    get receives() {
      const user = hub.user(userId);
      const server = hub.server(serverId);
      return server?.isLoaded(null) === true && user !== undefined && server.isMember(user);
    },
    connect() {
      const connection = new Connection(
        { id: randomUUID(), userId, isBot: false, sessionVersion: 0, sessionId: null, query: defaultQuery },
        { writeSchedulers, metrics, onEnd: (ended) => hub.remove(ended) },
      );
      connections.push(connection);
      const placed = hub.add(connection);
      return placed;
    },
    disconnect: () => connections.shift()?.close(1000),
    join() {
      if (isMember) return;
      isMember = true;
      sequence += 1;
      events.push({ joined: true, sequence });
    },
    leave() {
      if (!isMember) return;
      isMember = false;
      sequence += 1;
      events.push({ joined: false, sequence });
    },
    /** The next event, or a later one that overtook it. */
    async hear(index = 0) {
      const [event] = events.splice(index % Math.max(events.length, 1), 1);
      const user = hub.user(userId);
      if (event === undefined || user === undefined) return;
      const payload = { server_id: serverId, user_id: userId };
      const name = event.joined ? "SERVER_JOINED" : "SERVER_LEFT";
      const received = {
        ...receivedLive(createEvent(name, { user_id: userId }, payload)),
        stored: { sequence: event.sequence, previousSequence: 0 },
      };
      if (event.joined) memberships.join(user, serverId, received);
      else memberships.leave(user, serverId, received);
      await turn();
    },
    async answer() {
      answers.shift()?.();
      await turn();
    },
    async becomeQuiet() {
      while (events.length > 0) await world.hear();
      while (answers.length > 0) await world.answer();
    },
  };
  return world;
}

async function connectedMember() {
  const world = createWorld();
  world.join();
  const placed = world.connect();
  await world.becomeQuiet();
  await placed;
  expect(world.receives).toBe(true);
  return world;
}

describe("the membership that a node knows", () => {
  test("the membership that a node knows keeps a join that comes before the database has answered about the leave", async () => {
    const world = await connectedMember();
    world.leave();
    await world.hear();
    world.join();
    await world.hear();
    await world.becomeQuiet();
    expect(world.receives).toBe(true);
  });

  test("the membership that a node knows serves a user who left and came back, over connections old and new", async () => {
    const world = await connectedMember();
    for (let round = 0; round < 3; round++) {
      world.leave();
      await world.hear();
      world.join();
      await world.hear();
    }
    const placed = world.connect();
    await world.becomeQuiet();
    await placed;
    expect(world.receives).toBe(true);
    world.disconnect();
    expect(world.receives).toBe(true);
  });

  test("the membership that a node knows ends with a leave that is announced while the memberships of a new connection are read", async () => {
    const world = createWorld();
    world.join();
    await world.hear();
    const placed = world.connect();
    await world.turn();
    expect(world.waitingAnswers).toBe(1);
    world.leave();
    await world.hear();
    await world.becomeQuiet();
    await placed;
    expect(world.receives).toBe(false);
    expect(world.hub.server(serverId)).toBeUndefined();
  });

  test("the membership that a node knows closes everybody who waits, newcomers included, when a server's queue is full", async () => {
    const world = await connectedMember();
    world.leave();
    await world.hear();
    world.join();
    await world.hear();
    const server = world.hub.server(serverId);
    expect(server?.allUsers().map(({ id }) => id)).toEqual([userId]);
  });

  test("the membership that a node knows agrees with the database in the end, in whatever order events and answers come", async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.constant({ kind: "leave" as const, index: 0 }) },
      { weight: 3, arbitrary: fc.constant({ kind: "join" as const, index: 0 }) },
      { weight: 1, arbitrary: fc.constant({ kind: "connect" as const, index: 0 }) },
      { weight: 1, arbitrary: fc.constant({ kind: "disconnect" as const, index: 0 }) },
      { weight: 5, arbitrary: fc.record({ kind: fc.constant("hear" as const), index: fc.nat(3) }) },
      { weight: 5, arbitrary: fc.constant({ kind: "answer" as const, index: 0 }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const world = createWorld();
        void world.connect();
        for (const { kind, index } of steps) {
          if (kind === "connect") void world.connect();
          else await world[kind](index);
        }
        await world.becomeQuiet();
        await world.becomeQuiet();
        const isConnected = world.hub.user(userId) !== undefined;
        expect(world.receives).toBe(isConnected && world.isMember);
        // Nothing is kept for a server that nobody here is in.
        expect(world.hub.server(serverId) !== undefined).toBe(isConnected && world.isMember);
      }),
      { numRuns: 1_000 },
    );
  });
});
