import { connectGateway } from "@parley/testing/gateway-client";
import { insertUsers } from "./gateway-world.js";
import type { LargeServerSizes } from "./large-server-sizes.js";
import { createLargeServer, type LargeServer, type LargeServerWorld } from "./large-server-world.js";
import { median, report } from "./measure.js";
import { databaseMs } from "./statement-times.js";

/** What an operation costs in a server of some size. */
interface Cost {
  callerMs: number;
  databaseMs: number;
}

type Operation = (
  world: LargeServerWorld,
  server: LargeServer,
  n: number,
  strangers: readonly string[],
) => Promise<unknown>;

const at = (users: readonly string[], index: number) => users[index % users.length] ?? "";
const memberOf = ({ userIds }: LargeServer, n: number) => at(userIds, 1 + n);

/** In this order: those who join are kicked, banned and so on after it. */
const operations: Record<string, Operation> = {
  connect: async ({ gateways, socketPath }, server, n) => {
    const [path, query = ""] = socketPath(memberOf(server, n)).split("?");
    const client = connectGateway(gateways[0].url, "", { path: path ?? "", query });
    await client.ready;
    await client.close();
  },
  "send a message": ({ call }, server, n) =>
    call(memberOf(server, n), "POST", `/channels/${server.channelId}/messages`, { content: `message ${n}` }),
  join: ({ call }, { serverId }, n, strangers) => call(at(strangers, n), "POST", `/servers/${serverId}/join`),
  kick: ({ call }, { serverId, userIds }, n, strangers) =>
    call(at(userIds, 0), "POST", `/servers/${serverId}/members/${at(strangers, n)}/kick`),
  ban: ({ call }, { serverId, userIds }, n, strangers) =>
    call(at(userIds, 0), "POST", `/servers/${serverId}/members/${at(strangers, n)}/ban`),
  "give a role": ({ call }, server, n) =>
    call(
      at(server.userIds, 0),
      "PUT",
      `/servers/${server.serverId}/members/${memberOf(server, n)}/roles/${server.roleId}`,
    ),
  "change a role": ({ call }, { serverId, userIds, roleId }, n) =>
    call(at(userIds, 0), "PATCH", `/servers/${serverId}/roles/${roleId}`, { permissions: n % 2 ? 3 : 7 }),
  "change an override": ({ call }, { channelId, userIds, roleId }, n) =>
    call(at(userIds, 0), "PUT", `/channels/${channelId}/overrides`, {
      role_id: roleId,
      allow: n % 2 ? 64 : 0,
      deny: 0,
    }),
  "set a status": ({ call }, server, n) =>
    call(memberOf(server, n), "PATCH", "/users/@me", { custom_status: `status ${n}` }),
  "a page of members": ({ call }, server, n) => {
    const after = at(server.userIds, Math.floor((server.userIds.length * (n % 10)) / 10));
    return call(memberOf(server, n), "GET", `/servers/${server.serverId}/members?limit=100&after=${after}`);
  },
  "members by prefix": ({ call }, server, n) =>
    call(memberOf(server, n), "GET", `/servers/${server.serverId}/members?q=bench_${1 + (n % 9)}`),
};

/** Prints what each operation costs in servers of growing size, none of whose members is connected for long. */
export async function reportCosts(world: LargeServerWorld, sizes: LargeServerSizes): Promise<LargeServer> {
  const servers: LargeServer[] = [];
  for (const members of sizes.members) servers.push(await createLargeServer(world.pool, members, sizes.channels));
  const strangers = await insertUsers(world.pool, sizes.repetitions);
  report(`caller's median / database's mean milliseconds of ${sizes.repetitions}, in servers of so many members`);
  report(`| operation | ${sizes.members.join(" | ")} |`);
  report(`|---|${sizes.members.map(() => "---").join("|")}|`);
  for (const [name, operation] of Object.entries(operations)) {
    const cells: string[] = [];
    for (const server of servers) {
      // Those who were kicked are banned as strangers; both leave nothing that the next operation needs.
      const cost = await measure(world, (n) => operation(world, server, n, strangers), sizes.repetitions);
      cells.push(`${cost.callerMs.toFixed(1)} / ${cost.databaseMs.toFixed(2)}`);
    }
    report(`| ${name} | ${cells.join(" | ")} |`);
  }
  const largest = servers.at(-1);
  if (largest === undefined) throw new Error("no sizes");
  return largest;
}

async function measure(
  { pool }: LargeServerWorld,
  operation: (n: number) => Promise<unknown>,
  repetitions: number,
): Promise<Cost> {
  const before = await databaseMs(pool);
  const latencies: number[] = [];
  for (let n = 0; n < repetitions; n += 1) {
    const from = performance.now();
    await operation(n);
    latencies.push(performance.now() - from);
  }
  return { callerMs: median(latencies), databaseMs: ((await databaseMs(pool)) - before) / repetitions };
}
