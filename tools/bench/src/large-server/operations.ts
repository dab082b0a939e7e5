import { insertHeldRoles, insertIds, insertReadChannels } from "../world.js";
import type { LargeServer, LargeServerWorld } from "./world.js";

/** An operation that is repeated in a large server. */
export interface Operation {
  /** At most so many repetitions, where each needs much preparation. */
  repetitionsMax?: number;
  /** Makes the data for the repetitions; not measured. */
  prepare?: (world: LargeServerWorld, server: LargeServer, repetitions: number) => Promise<readonly string[]>;
  /** @param made the prepared ids; without a preparation accounts without a membership */
  run: (world: LargeServerWorld, server: LargeServer, n: number, made: readonly string[]) => Promise<unknown>;
}

const at = (users: readonly string[], index: number) => users[index % users.length] ?? "";
const memberOf = ({ userIds }: LargeServer, n: number) => at(userIds, 1 + n);
const ownerOf = ({ userIds }: LargeServer) => at(userIds, 0);

type Path = (server: LargeServer, n: number, made: readonly string[]) => string;

/** A request of the owner, its path below that of the server. */
const byOwner = (method: string, path: Path, body?: (n: number) => unknown): Operation => ({
  run: ({ call }, server, n, made) =>
    call(ownerOf(server), method, `/servers/${server.serverId}${path(server, n, made)}`, body?.(n)),
});
/** A request of an account that is no member, or was none before. */
const byStranger = (method: string, path: string): Operation => ({
  run: ({ call }, { serverId }, n, strangers) => call(at(strangers, n), method, `/servers/${serverId}${path}`),
});
/** A request of some member, its path below that of the server's members. */
const ofMembers = (query: Path): Operation => ({
  run: ({ call }, server, n) =>
    call(memberOf(server, n), "GET", `/servers/${server.serverId}/members${query(server, n, [])}`),
});
/** Before ten places that are spread over the list. */
const anywhere = ({ userIds }: LargeServer, n: number) =>
  `limit=100&after=${at(userIds, Math.floor((userIds.length * (n % 10)) / 10))}`;

/** In this order: those who join are kicked, banned and so on after it. */
export const operations: Record<string, Operation> = {
  "connect and disconnect": {
    run: async ({ connect }, server, n) => {
      const client = connect(memberOf(server, n));
      await client.ready;
      await client.close();
    },
  },
  "send a message": { run: ({ send }, server, n) => send(memberOf(server, n), server.channelId, `message ${n}`) },
  join: byStranger("POST", "/join"),
  leave: byStranger("DELETE", "/leave"),
  "join again": byStranger("POST", "/join"),
  kick: byOwner("POST", (_, n, strangers) => `/members/${at(strangers, n)}/kick`),
  ban: byOwner("POST", (_, n, strangers) => `/members/${at(strangers, n)}/ban`),
  unban: byOwner("DELETE", (_, n, strangers) => `/bans/${at(strangers, n)}`),
  "give a role": byOwner("PUT", (server, n) => `/members/${memberOf(server, n)}/roles/${server.roleId}`),
  "change a role": byOwner(
    "PATCH",
    ({ roleId }) => `/roles/${roleId}`,
    (n) => ({ permissions: n % 2 ? 3 : 7 }),
  ),
  "change an override": {
    run: ({ call }, { channelId, userIds, roleId }, n) => {
      const override = { role_id: roleId, allow: n % 2 ? 64 : 0, deny: 0 };
      return call(at(userIds, 0), "PUT", `/channels/${channelId}/overrides`, override);
    },
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
  // The last ones: rows of the role or the server are removed beside any later operation.
  "delete a role of everybody": {
    repetitionsMax: 3,
    prepare: ({ pool }, { serverId }, count) => insertHeldRoles(pool, serverId, count),
    ...byOwner("DELETE", (_, n, roles) => `/roles/${at(roles, n)}`),
  },
  "delete a channel that everybody has read": {
    repetitionsMax: 3,
    prepare: ({ pool }, { serverId }, count) => insertReadChannels(pool, serverId, count),
    run: ({ call }, server, n, channels) => call(ownerOf(server), "DELETE", `/channels/${at(channels, n)}`),
  },
  "delete the server": {
    repetitionsMax: 3,
    prepare: insertServers,
    run: ({ call }, server, n, servers) => call(ownerOf(server), "DELETE", `/servers/${at(servers, n)}`),
  },
};

/** Servers with the same members, who all have a role and have read one of 50 channels. */
async function insertServers(world: LargeServerWorld, server: LargeServer, count: number): Promise<string[]> {
  const ids = await insertIds(
    world.pool,
    "INSERT INTO servers (name, owner_id) SELECT 'deleted', $1 FROM generate_series(1, $2::int) RETURNING id",
    ownerOf(server),
    count,
  );
  for (const serverId of ids) {
    await world.pool.query(
      "INSERT INTO members (server_id, user_id) SELECT $1, user_id FROM members WHERE server_id = $2",
      [serverId, server.serverId],
    );
    await world.pool.query(
      "INSERT INTO channels (server_id, name, position) SELECT $1, 'channel-' || n, n FROM generate_series(1, 49) n",
      [serverId],
    );
    await insertHeldRoles(world.pool, serverId, 1);
    await insertReadChannels(world.pool, serverId, 1);
  }
  return ids;
}
