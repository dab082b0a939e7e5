import { connectGateway } from "@parley/testing/gateway-client";
import { z } from "zod";
import type { LargeServer, LargeServerWorld } from "./world.js";

/** What is done again and again in a large server. */
export interface Operation {
  /** At most so many repetitions, where each needs much preparation. */
  repetitionsMax?: number;
  /** Makes what the repetitions need; not measured. */
  prepare?: (world: LargeServerWorld, server: LargeServer, repetitions: number) => Promise<readonly string[]>;
  /** @param made what was prepared; without a preparation accounts that are no members */
  run: (world: LargeServerWorld, server: LargeServer, n: number, made: readonly string[]) => Promise<unknown>;
}

const at = (users: readonly string[], index: number) => users[index % users.length] ?? "";
const memberOf = ({ userIds }: LargeServer, n: number) => at(userIds, 1 + n);
const ownerOf = ({ userIds }: LargeServer) => at(userIds, 0);

/** A request of the owner, its path below that of the server. */
const byOwner =
  (method: string, path: (server: LargeServer, n: number, made: readonly string[]) => string): Operation["run"] =>
  ({ call }, server, n, made) =>
    call(ownerOf(server), method, `/servers/${server.serverId}${path(server, n, made)}`);
/** A request of some member, its path below that of the server's members. */
const ofMembers = (query: (server: LargeServer, n: number) => string): Operation => ({
  run: ({ call }, server, n) =>
    call(memberOf(server, n), "GET", `/servers/${server.serverId}/members${query(server, n)}`),
});
/** Before ten places that are spread over the list. */
const anywhere = ({ userIds }: LargeServer, n: number) =>
  `limit=100&after=${at(userIds, Math.floor((userIds.length * (n % 10)) / 10))}`;

/** In this order: those who join are kicked, banned and so on after it. */
export const operations: Record<string, Operation> = {
  "connect and disconnect": {
    run: async ({ gateways, socketPath }, server, n) => {
      const [path, query = ""] = socketPath(memberOf(server, n)).split("?");
      const client = connectGateway(gateways[0].url, "", { path: path ?? "", query });
      await client.ready;
      await client.close();
    },
  },
  "send a message": {
    run: ({ call }, server, n) =>
      call(memberOf(server, n), "POST", `/channels/${server.channelId}/messages`, { content: `message ${n}` }),
  },
  join: { run: ({ call }, { serverId }, n, strangers) => call(at(strangers, n), "POST", `/servers/${serverId}/join`) },
  leave: {
    run: ({ call }, { serverId }, n, strangers) => call(at(strangers, n), "DELETE", `/servers/${serverId}/leave`),
  },
  "join again": {
    run: ({ call }, { serverId }, n, strangers) => call(at(strangers, n), "POST", `/servers/${serverId}/join`),
  },
  kick: { run: byOwner("POST", (_, n, strangers) => `/members/${at(strangers, n)}/kick`) },
  ban: { run: byOwner("POST", (_, n, strangers) => `/members/${at(strangers, n)}/ban`) },
  unban: { run: byOwner("DELETE", (_, n, strangers) => `/bans/${at(strangers, n)}`) },
  "give a role": {
    run: byOwner("PUT", (server, n) => `/members/${memberOf(server, n)}/roles/${server.roleId}`),
  },
  "change a role": {
    run: ({ call }, { serverId, userIds, roleId }, n) =>
      call(at(userIds, 0), "PATCH", `/servers/${serverId}/roles/${roleId}`, { permissions: n % 2 ? 3 : 7 }),
  },
  "change an override": {
    run: ({ call }, { channelId, userIds, roleId }, n) =>
      call(at(userIds, 0), "PUT", `/channels/${channelId}/overrides`, {
        role_id: roleId,
        allow: n % 2 ? 64 : 0,
        deny: 0,
      }),
  },
  "set a status": {
    run: ({ call }, server, n) => call(memberOf(server, n), "PATCH", "/users/@me", { custom_status: `status ${n}` }),
  },
  "a page of members": ofMembers((server, n) => `?${anywhere(server, n)}`),
  "members by a prefix of many": ofMembers((server, n) => `?q=bench_${1 + (n % 9)}&${anywhere(server, n)}`),
  "members by a prefix of all": ofMembers((server, n) => `?q=BENCH&${anywhere(server, n)}`),
  "members by a prefix of nobody": ofMembers(() => "?q=nobody"),
  "members with a role": ofMembers((server, n) => `?role_id=${server.roleId}&${anywhere(server, n)}`),
  "count the members, each 4 s": { repetitionsMax: 1, ...ofMembers(() => "/count") },
  // The last ones: what belongs to the role or the server is removed beside whatever comes after it.
  "delete a role of everybody": {
    repetitionsMax: 3,
    prepare: insertHeldRoles,
    run: byOwner("DELETE", (_, n, roles) => `/roles/${at(roles, n)}`),
  },
  "delete a channel that everybody has read": {
    repetitionsMax: 3,
    prepare: insertReadChannels,
    run: ({ call }, server, n, channels) => call(ownerOf(server), "DELETE", `/channels/${at(channels, n)}`),
  },
  "delete the server": {
    repetitionsMax: 3,
    prepare: insertServers,
    run: ({ call }, server, n, servers) => call(ownerOf(server), "DELETE", `/servers/${at(servers, n)}`),
  },
};

const idsOf = (rows: unknown[]) =>
  z
    .array(z.object({ id: z.string() }))
    .parse(rows)
    .map(({ id }) => id);

/** Roles that every member holds. */
async function insertHeldRoles(
  { pool }: LargeServerWorld,
  { serverId }: LargeServer,
  count: number,
): Promise<string[]> {
  const { rows } = await pool.query(
    "INSERT INTO roles (server_id, name, position) SELECT $1, 'held', 2 FROM generate_series(1, $2::int) RETURNING id",
    [serverId, count],
  );
  const ids = idsOf(rows);
  await pool.query(
    `INSERT INTO member_roles (server_id, user_id, role_id)
      SELECT server_id, user_id, unnest($2::uuid[]) FROM members WHERE server_id = $1`,
    [serverId, ids],
  );
  return ids;
}

/** Channels of which every member has a read state. */
async function insertReadChannels(
  { pool }: LargeServerWorld,
  { serverId }: LargeServer,
  count: number,
): Promise<string[]> {
  const { rows } = await pool.query(
    "INSERT INTO channels (server_id, name, position) SELECT $1, 'read', 0 FROM generate_series(1, $2::int) RETURNING id",
    [serverId, count],
  );
  const ids = idsOf(rows);
  await pool.query(
    "INSERT INTO read_states SELECT user_id, unnest($2::uuid[]), now() FROM members WHERE server_id = $1",
    [serverId, ids],
  );
  return ids;
}

/** Servers with the same members, who all hold a role, and of whom everybody has read one of 50 channels. */
async function insertServers(world: LargeServerWorld, server: LargeServer, count: number): Promise<string[]> {
  const { pool } = world;
  const { rows } = await pool.query(
    "INSERT INTO servers (name, owner_id) SELECT 'deleted', $1 FROM generate_series(1, $2::int) RETURNING id",
    [ownerOf(server), count],
  );
  const ids = idsOf(rows);
  for (const serverId of ids) {
    await pool.query("INSERT INTO members (server_id, user_id) SELECT $1, user_id FROM members WHERE server_id = $2", [
      serverId,
      server.serverId,
    ]);
    await pool.query(
      "INSERT INTO channels (server_id, name, position) SELECT $1, 'channel-' || n, n FROM generate_series(1, 49) n",
      [serverId],
    );
    await insertHeldRoles(world, { ...server, serverId }, 1);
    await insertReadChannels(world, { ...server, serverId }, 1);
  }
  return ids;
}
