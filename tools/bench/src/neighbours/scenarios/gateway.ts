import { caps, clientMessagesPerSecondMax, permissionBits, presenceSubscriptionsMax } from "@parley/contracts";
import { z } from "zod";
import { upTo } from "../../measure.js";
import { startPublisher } from "../../publisher.js";
import { createRoom, insertIds } from "../../world.js";
import type { HostileLoad } from "../loads.js";
import { heartbeatProbe, messageProbe, presenceProbe, readyProbe } from "../probes.js";
import type { Scenario } from "../scenario.js";
import { allowances } from "../sizes.js";
import { insertDirectChannels, insertMemberships, insertOwningBot, type Neighbourhood } from "../world.js";

const eventLoop = "event loop of a gateway";
/** A connection is closed when more than this is unsent (docs/protocol/connecting.md#14.1); one READY alone must leave room. */
const readyBytesMax = 2_000_000;
/** Nearly as many as a replay may have (docs/protocol/continuing.md#19.3). */
const missedEvents = 4_500;

/** So many connections of one account. */
const socketsOf = ({ gateway, socketPath }: Neighbourhood, userId = "", count = 1, query = "") => ({
  port: gateway.port,
  paths: Array.from({ length: count }, () => socketPath(userId, query)),
});

/** The first frame of a connection. */
async function readyFrame({ connect }: Neighbourhood, userId: string, query = ""): Promise<string> {
  const client = connect(userId, query);
  await client.ready.finally(() => client.terminate());
  return client.frames[0] ?? "";
}

/** Scenarios for the resources of one gateway process that tenants share. */
export const gatewayScenarios: readonly Scenario[] = [
  {
    name: "role-changes",
    resource: eventLoop,
    hostile: "500 channels × 100 overrides, 250 roles; role change and post in turns, 50/s",
    // The bot that owns the largest possible server: at each change gateways compute the visibility anew. By REST its
    // channels, roles and overrides are 50,750 calls: 17 minutes of a bot.
    async prepare(world) {
      const room = await createRoom(world.pool, 1);
      const bot = await insertOwningBot(world, room);
      const roleId = await insertStructure(world, room.serverId);
      const requests = ["#111111", "#222222"].flatMap((color) => [
        world.request(bot, `PATCH /servers/${room.serverId}/roles/${roleId}`, { color }),
        world.request(bot, `POST /channels/${room.channelId}/messages`, { content: "hostile" }),
      ]);
      return {
        probe: await messageProbe(world),
        loads: () => [
          { kind: "sockets", ...socketsOf(world, room.userIds[0]), texts: [], perSecond: 0 },
          { kind: "requests", requests, perSecond: allowances.botPerSecond, inFlightMax: 50 },
        ],
      };
    },
  },
  {
    name: "frames",
    resource: eventLoop,
    hostile: "4 clients, 400,000 frames/s of 1 byte each",
    // Connections of one account. The rate of each is the limit of a client's core with 7 bytes each, and 20,000 times
    // the allowed rate of a connection.
    async prepare(world) {
      const { userIds } = await createRoom(world.pool, 1);
      return {
        probe: await heartbeatProbe(world),
        loads: () => [{ kind: "sockets", ...socketsOf(world, userIds[0], 4), texts: ["x"], perSecond: 400_000 }],
      };
    },
  },
  {
    name: "typing",
    resource: eventLoop,
    hostile: "48 sockets type at 12/s each, 200 members listen",
    // One member types on nearly as many connections as a user may have.
    async prepare(world) {
      const room = await createRoom(world.pool, 200);
      const texts = [JSON.stringify({ op: "TYPING_START", d: { channel_id: room.channelId } })];
      const perSecond = (clientMessagesPerSecondMax * 3) / 5;
      const paths = room.userIds.map((userId) => world.socketPath(userId));
      return {
        probe: await heartbeatProbe(world),
        loads: () => [
          { kind: "sockets", port: world.gateway.port, paths, texts: [], perSecond: 0 },
          { kind: "sockets", ...socketsOf(world, room.userIds[0], 48), texts, perSecond },
        ],
      };
    },
  },
  {
    name: "presence",
    resource: "presence",
    hostile: "a member of 200 servers changes status on 8 sockets, 20/s each",
    async prepare(world) {
      const { userIds } = await createRoom(world.pool, 1);
      const [userId = ""] = userIds;
      await insertMemberships(world, userId, caps.memberships.max - 1, 0);
      const texts = ["away", "dnd"].map((status) => JSON.stringify({ op: "PRESENCE_UPDATE", d: { status } }));
      const perSecond = clientMessagesPerSecondMax;
      return {
        probe: await presenceProbe(world),
        loads: () => [{ kind: "sockets", ...socketsOf(world, userId, 8), texts, perSecond }],
      };
    },
  },
  {
    name: "presence-subscribes",
    resource: eventLoop,
    hostile: "45 sockets of one account name 400 strangers 19 times a second",
    // Other strangers all the time, as many at once as an op may; one less than a connection may send, so that nothing
    // is dropped.
    async prepare(world) {
      const { userIds } = await createRoom(world.pool, 1);
      const strangers = (await createRoom(world.pool, 2 * presenceSubscriptionsMax)).userIds;
      const texts = [0, presenceSubscriptionsMax].map((from) => {
        const user_ids = strangers.slice(from, from + presenceSubscriptionsMax);
        return JSON.stringify({ op: "PRESENCE_SUBSCRIBE", d: { user_ids } });
      });
      const sockets = socketsOf(world, userIds[0], 45, "&presence=subscribed");
      return {
        probe: await heartbeatProbe(world),
        loads: () => [{ kind: "sockets", ...sockets, texts, perSecond: clientMessagesPerSecondMax - 1 }],
      };
    },
  },
  {
    name: "ready",
    resource: "READY",
    hostile: "8 sockets reconnect at once; 200 servers, thousands of DM channels with fat profiles",
    // The account has as many memberships as it may, and DM channels that strangers opened. By REST: 400 calls for the
    // servers, one call for each DM channel.
    async prepare(world, sizes) {
      const { userIds } = await createRoom(world.pool, 1);
      const [userId = ""] = userIds;
      await insertMemberships(world, userId, caps.memberships.max - 1, 5);
      await insertDirectChannels(world, userId, sizes.directChannels);
      return {
        probe: await readyProbe(world),
        loads: () => [{ kind: "reconnects", ...socketsOf(world, userId, 8) }],
        bounds: async () => {
          const counted = Buffer.byteLength(await readyFrame(world, userId));
          return [{ what: "bytes of that READY", counted, max: readyBytesMax }];
        },
      };
    },
  },
  {
    name: "replays",
    resource: eventLoop,
    hostile: "8 sockets of one account continue over and over, with 4,500 events each",
    phaseMsMin: 7_000,
    // From the same old cursor, as soon as they have been sent everything.
    async prepare(world) {
      const room = await createRoom(world.pool, 1);
      const [userId = ""] = room.userIds;
      const { s } = z.object({ s: z.string() }).parse(JSON.parse(await readyFrame(world, userId, "&s=")));
      const publisher = await startPublisher(world.servers.nats.url);
      await publisher.publish(room, { perSecond: 2_000, isDone: upTo(missedEvents) });
      await publisher.close();
      const sockets = socketsOf(world, userId, 8, `&s=${encodeURIComponent(s)}`);
      // The last frame is RESUMED.
      const load: HostileLoad = { kind: "reconnects", ...sockets, frames: missedEvents + 1 };
      return { probe: await heartbeatProbe(world), loads: () => [load] };
    },
  },
];

/** As many channels, roles and overrides as a server may have; every override hides the channel from a role. */
async function insertStructure({ pool }: Neighbourhood, serverId: string): Promise<string> {
  const [roleId = ""] = await insertIds(
    pool,
    "INSERT INTO roles (server_id, name, position) SELECT $1, 'role ' || n, n FROM generate_series(1, $2::int) n RETURNING id",
    serverId,
    caps.roles.max,
  );
  await pool.query(
    "INSERT INTO channels (server_id, name, position) SELECT $1, 'channel-' || n, n FROM generate_series(2, $2::int) n",
    [serverId, caps.channels.max],
  );
  await pool.query(
    `INSERT INTO channel_overrides (channel_id, role_id, allow, deny)
      SELECT c.id, r.id, 0, $3 FROM channels c, roles r
      WHERE c.server_id = $1 AND r.server_id = $1 AND r.position <= $2`,
    [serverId, caps.overrides.max, permissionBits.VIEW_CHANNEL],
  );
  await pool.query("ANALYZE");
  return roleId;
}
