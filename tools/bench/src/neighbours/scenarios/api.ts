import { randomBytes } from "node:crypto";
import { caps } from "@parley/contracts";
import { sum } from "../../measure.js";
import { createRoom, type Room } from "../../world.js";
import { answered, type HostileLoad, type HostileRequest } from "../loads.js";
import { messageProbe, requestProbe } from "../probes.js";
import type { Scenario } from "../scenario.js";
import { allowances } from "../sizes.js";
import { insertBots, insertDirectChannels, insertMessages } from "../world.js";

const requestsOf = (requests: readonly HostileRequest[], perSecond: number, inFlightMax: number): HostileLoad => ({
  kind: "requests",
  requests,
  perSecond,
  inFlightMax,
});

/** Of what one process of the api, the database and the edge share between tenants. */
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
    name: "channel-deletion",
    resource: "database",
    hostile: "DELETE of a channel with all its messages",
    // One channel a round.
    async prepare(world, sizes) {
      const rooms: Room[] = [];
      while (rooms.length < sizes.rounds) {
        const room = await createRoom(world.pool, 1);
        await insertMessages(world, room, sizes.messages);
        rooms.push(room);
      }
      return {
        probe: await messageProbe(world),
        loads: (round) => {
          const { userIds, channelId } = rooms[round] ?? { userIds: [], channelId: "" };
          const requests = [world.request(userIds[0] ?? "", `DELETE /channels/${channelId}`)];
          return [{ kind: "requests", requests, perSecond: "as answered", inFlightMax: 1, once: true }];
        },
        bounds: (reports) => {
          const refused = reports.filter((report) => answered(report, 503) > 0).length;
          return [{ what: "deletions that failed", counted: refused, max: 0 }];
        },
      };
    },
  },
  {
    name: "bots",
    resource: "rate limits",
    hostile: "25 bots behind one address, 400/s together",
    phaseMsMin: 4_000,
    // As many bots as an account may have, and twice what an address may; buckets hold one second's worth at the
    // beginning.
    async prepare(world) {
      const bots = await insertBots(world, await createRoom(world.pool, 1), caps.bots.max);
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
