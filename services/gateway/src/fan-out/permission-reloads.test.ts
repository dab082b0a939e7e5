import { createEvent } from "@parley/contracts";
import { createLogger, createMetrics } from "@parley/service-runtime";
import { describe, expect, test } from "vitest";
import { Connection } from "../connection/connection.js";
import { createWriteSchedulers } from "../connection/write-scheduler.js";
import { createCursors } from "../cursors/cursor.js";
import { PendingEvents } from "../cursors/pending-events.js";
import { Positions } from "../cursors/positions.js";
import { messageOf } from "../gateway-fixture.js";
import { Hub } from "../hub/hub.js";
import type { PermissionAnswer } from "../hub/load-permissions.js";
import { createGatewayMetrics } from "../metrics.js";
import { defaultQuery } from "../query/connection-query.js";
import { StreamPosition } from "../stream/stream-position.js";
import { ComemberEvents } from "./comember-events.js";
import { EventSender } from "./event-sender.js";
import { FanOut } from "./fan-out.js";
import { receivedLive } from "./hub-fixture.js";
import { ServerEvents } from "./server-events.js";

const [server_id, channel_id, userId] = ["server", "channel", "user"];

/** A node with one member of one server; the test decides when the database answers about its permissions. */
async function createNode() {
  const metrics = createGatewayMetrics(createMetrics().registry);
  const logger = createLogger({ service: "gateway", level: "silent", nodeId: "test" });
  const waiting: (() => void)[] = [];
  let loads = 0;
  const answer: PermissionAnswer = {
    rules: {
      ownerId: "owner",
      administratorRoles: new Set(),
      viewingRoles: new Set(),
      everyone: { permissions: 0, rights: 0 },
      roleRights: new Map(),
      channels: new Map([[channel_id, null]]),
    },
    members: new Map([[userId, []]]),
    isLarge: false,
  };
  const hub = new Hub({
    subscriptions: {
      add: () => ({
        position: new StreamPosition(0),
        unsubscribe: () => {},
        pending: new PendingEvents("", { changed: () => {} }),
      }),
      confirmed: () => Promise.resolve(),
    },
    loadMemberships: () => Promise.resolve([{ serverId: server_id, roles: [] }]),
    loadPermissions: () => {
      loads += 1;
      return new Promise((resolve) => waiting.push(() => resolve(answer)));
    },
    loadPartners: () => Promise.resolve([]),
    announce: () => Promise.resolve(),
    metrics,
    logger,
  });
  const database = { query: () => Promise.resolve([]) };
  const gaps = { fill: () => Promise.resolve(true) };
  const sender = new EventSender(
    new Positions(createCursors(["secret"]), { highWatermark: () => 0, highWatermarkId: () => null }),
  );
  const serverEvents = new ServerEvents({ database, hub, gaps, sender, lowWatermark: () => 0 });
  const writeSchedulers = createWriteSchedulers();
  const comemberEvents = new ComemberEvents({ hub, presenceWrites: writeSchedulers.lowPriority });
  const userEvents = { dispatch: () => {}, waiting: () => {} };
  const fanOut = new FanOut({ hub, serverEvents, userEvents, comemberEvents, metrics });
  const connection = new Connection(
    { id: "connection", userId, isBot: false, sessionVersion: 0, sessionId: null, query: defaultQuery },
    { writeSchedulers, metrics, onEnd: (ended) => hub.remove(ended) },
  );
  await hub.add(connection);
  let sequence = 0;

  const hear = (event: ReturnType<typeof createEvent>) => {
    sequence += 1;
    const stored = { sequence, previousSequence: 0 };
    fanOut.dispatch({ ...receivedLive(event), id: String(sequence), stored });
  };
  return {
    get loads() {
      return loads;
    },
    get isIdle() {
      return hub.server(server_id)?.queue.isIdle;
    },
    post: () => hear(createEvent("MESSAGE_CREATE", { server_id, channel_id }, messageOf(channel_id, "text"))),
    changeRole: () => hear(createEvent("ROLE_DELETE", { server_id }, { server_id, role_id: "role" })),
    changeMember: () =>
      hear(
        createEvent(
          "MEMBER_ROLE_REMOVE",
          { server_id },
          { server_id, user_id: userId, role_id: "role", role_name: "role", role_color: "#000000" },
        ),
      ),
    async answer() {
      waiting.shift()?.();
      await new Promise((turn) => setImmediate(turn));
    },
  };
}

describe("reading permissions again", () => {
  test.each(["changeRole", "changeMember"] as const)(
    "covers everything that waits at once, however often they changed: %s",
    async (change) => {
      const node = await createNode();
      node.post();
      expect(node.loads).toBe(1);
      for (let round = 0; round < 50; round += 1) {
        node[change]();
        node.post();
      }
      // One at a time, and the second began after all changes were heard.
      expect(node.loads).toBe(1);
      await node.answer();
      expect(node.loads).toBe(2);
      await node.answer();
      expect([node.loads, node.isIdle]).toEqual([2, true]);
      node[change]();
      node.post();
      expect(node.loads).toBe(3);
    },
  );

  test("reading permissions again takes place once more for a change that was heard while they were read", async () => {
    const node = await createNode();
    node.post();
    node.changeRole();
    await node.answer();
    expect([node.loads, node.isIdle]).toEqual([1, true]);
    node.post();
    expect([node.loads, node.isIdle]).toEqual([2, false]);
  });
});
