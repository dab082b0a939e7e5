import { randomBytes } from "node:crypto";
import { caps } from "@parley/contracts";
import { waitUntil } from "@parley/testing";
import { sum } from "../../measure.js";
import { startReceiver } from "../../receiver.js";
import { createRoom, insertBots, insertHeldRoles, insertReadChannels, type Room } from "../../world.js";
import { answered, type HostileLoad, type HostileRequest } from "../loads.js";
import { messageProbe, requestProbe } from "../probes.js";
import type { Scenario } from "../scenario.js";
import { allowances, type NeighbourSizes } from "../sizes.js";
import { hasOrphans, insertDirectChannels, insertMessages, type Neighbourhood } from "../world.js";

/** How long the rows of the largest deletion may take to go. */
const removedWithinMs = 1_200_000;

const page = Buffer.from(
  `<title>A page</title><meta name="description" content="text">${"<meta name=x content=y>".repeat(8_000)}`,
);

const requestsOf = (requests: readonly HostileRequest[], perSecond: number, inFlightMax: number): HostileLoad => ({
  kind: "requests",
  requests,
  perSecond,
  inFlightMax,
});

/** One of the same things is deleted in each phase; the next phase begins when its rows are removed, too. */
const deletion = (of: {
  name: string;
  hostile: string;
  make: (world: Neighbourhood, sizes: NeighbourSizes) => Promise<Room>;
  path: (room: Room) => string;
}): Scenario => ({
  name: of.name,
  resource: "database",
  hostile: of.hostile,
  async prepare(world, sizes) {
    const rooms: Room[] = [];
    const phases = sizes.rounds + (sizes.warmUpMs > 0 ? 1 : 0);
    while (rooms.length < phases) rooms.push(await of.make(world, sizes));
    return {
      probe: await messageProbe(world),
      loads: () => {
        const room = rooms.pop();
        if (room === undefined) throw new Error(`${of.name} has nothing left to delete`);
        const requests = [world.request(room.userIds[0] ?? "", `DELETE ${of.path(room)}`)];
        return [{ kind: "requests", requests, perSecond: "as answered", inFlightMax: 1, once: true }];
      },
      async calmDown() {
        await waitUntil(async () => !(await hasOrphans(world)), { timeoutMs: removedWithinMs });
      },
      bounds: (reports) => {
        const deleted = reports.filter((report) => answered(report, 204) > 0).length;
        return [{ what: "deletions that failed", counted: reports.length - deleted, max: 0 }];
      },
    };
  },
});

/** Scenarios for the resources of one api process, the database and the edge that tenants share. */
export const apiScenarios: readonly Scenario[] = [
  {
    name: "direct-channel-lists",
    resource: "event loop of an api",
    hostile: "GET /dm-channels 10/s, thousands of them with fat profiles",
    // By REST: one call for each DM channel.
    async prepare(world, sizes) {
      const { userIds } = await createRoom(world.pool, 1);
      const [userId = ""] = userIds;
      await insertDirectChannels(world, userId, sizes.directChannels);
      const requests = [world.request(userId, "GET /dm-channels")];
      return {
        probe: await requestProbe(world),
        loads: () => [requestsOf(requests, allowances.restPerSecond, 20)],
      };
    },
  },
  {
    name: "member-lists",
    resource: "event loop of an api",
    hostile: "the whole member list 10/s",
    // The accounts of 50,000 members are as many calls.
    async prepare(world, sizes) {
      const { serverId, userIds } = await createRoom(world.pool, sizes.members);
      const requests = [world.request(userIds[0] ?? "", `GET /servers/${serverId}/members`)];
      return {
        probe: await requestProbe(world),
        loads: () => [requestsOf(requests, allowances.restPerSecond, 20)],
      };
    },
  },
  {
    name: "search",
    resource: "database pool",
    hostile: "search 10/s for a word in all messages",
    // One address. By REST 300,000 messages are 10 minutes of ten bots.
    async prepare(world, sizes) {
      const room = await createRoom(world.pool, 1);
      await insertMessages(world, room, sizes.messages);
      const path = `/servers/${room.serverId}/search?q=needle&limit=100`;
      const requests = [world.request(room.userIds[0] ?? "", `GET ${path}`)];
      return {
        probe: await requestProbe(world, { path: "/servers" }),
        loads: () => [requestsOf(requests, allowances.restPerSecond, 50)],
      };
    },
  },
  {
    name: "link-previews",
    resource: "event loop of an api",
    hostile: "previews 10/s of pages of 200 KB that are new each time and take 100 ms",
    async prepare(world) {
      const { userIds } = await createRoom(world.pool, 1);
      const pages = await startReceiver((_, response) => {
        setTimeout(() => response.writeHead(200, { "Content-Type": "text/html" }).end(page), 100);
      }, "127.0.0.2");
      let rounds = 0;
      return {
        probe: await messageProbe(world),
        loads: () => {
          rounds += 1;
          const requests = Array.from({ length: 1_000 }, (_, n) => {
            const url = encodeURIComponent(`${pages.url}/${rounds}/${n}`);
            return world.request(userIds[0] ?? "", `GET /link-preview?url=${url}`);
          });
          return [requestsOf(requests, allowances.restPerSecond, 20)];
        },
        close: pages.close,
      };
    },
  },
  {
    name: "export",
    resource: "event loop of an api",
    hostile: "the export of a large server, again and again",
    async prepare(world, sizes) {
      const { serverId, channelId, userIds } = await createRoom(world.pool, 1);
      await insertMessages(world, { serverId, channelId, userIds }, sizes.messages);
      const requests = [world.request(userIds[0] ?? "", `GET /servers/${serverId}/export`)];
      return {
        probe: await messageProbe(world),
        loads: () => [{ kind: "requests", requests, perSecond: "as answered", inFlightMax: 1 }],
      };
    },
  },
  deletion({
    name: "channel-deletion",
    hostile: "DELETE of a channel with all its messages",
    async make(world, sizes) {
      const room = await createRoom(world.pool, 1);
      await insertMessages(world, room, sizes.messages);
      return room;
    },
    path: ({ channelId }) => `/channels/${channelId}`,
  }),
  deletion({
    name: "server-deletion",
    hostile: "DELETE of a server with a million messages and 100,000 members, who have all read and hold a role",
    async make(world, sizes) {
      const room = await createRoom(world.pool, sizes.deleted.members);
      await insertMessages(world, room, sizes.deleted.messages);
      await insertHeldRoles(world.pool, room.serverId, 1);
      await insertReadChannels(world.pool, room.serverId, 1);
      await world.pool.query("ANALYZE");
      return room;
    },
    path: ({ serverId }) => `/servers/${serverId}`,
  }),
  {
    name: "bots",
    resource: "rate limits",
    hostile: "25 bots behind one address, 400/s together",
    phaseMsMin: 4_000,
    // As many bots as an account may have, with twice the rate of an address; buckets have the tokens of one second at
    // the beginning.
    async prepare(world) {
      const bots = await insertBots(world.pool, await createRoom(world.pool, 1), caps.bots.max);
      const requests = bots.map((bot) => world.request(bot, "GET /users/@me"));
      return {
        probe: await requestProbe(world),
        loads: () => [requestsOf(requests, 2 * allowances.botsPerSecond, 100)],
        bounds: (reports) => {
          const counted = sum(reports.map((report) => answered(report, 200)));
          const max = sum(reports.map(({ seconds }) => (seconds + 1) * allowances.botsPerSecond));
          return [{ what: "requests of the bots accepted", counted, max: Math.ceil(max) }];
        },
      };
    },
  },
  {
    name: "invalid-tokens",
    resource: "rate limits",
    hostile: "250/s with invalid bot tokens from one address",
    // Tokens that nobody has, each a different one, far over the rate of an address.
    async prepare(world) {
      const requests = Array.from({ length: 1_000 }, () =>
        world.request({ authorization: `Bot ${randomBytes(32).toString("hex")}` }, "GET /users/@me"),
      );
      return { probe: await requestProbe(world), loads: () => [requestsOf(requests, 250, 100)] };
    },
  },
  {
    name: "edge",
    resource: "edge",
    hostile: "1,000 connections with requests that never end",
    // As many as one address may open.
    async prepare(world) {
      const { url, port } = world.edge;
      return {
        probe: await requestProbe(world, { url }),
        loads: () => [{ kind: "unfinished", port, connections: allowances.connectionsPerAddress }],
      };
    },
  },
];
