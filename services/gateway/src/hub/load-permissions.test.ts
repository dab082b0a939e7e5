import { monitorEventLoopDelay } from "node:perf_hooks";
import { permissionBits } from "@parley/contracts";
import type { SqlValue, Statement } from "@parley/database";
import { connectDatabase, type Database } from "@parley/database/prisma";
import { mayViewChannel } from "@parley/permissions";
import { createLogger } from "@parley/service-runtime";
import { createGate, createTestDatabase } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRows } from "../gateway-fixture.js";
import { createServerStructures } from "../ready/server-structures.js";
import { createPermissionLoader } from "./load-permissions.js";

let database: Database;
let rows: ReturnType<typeof createRows>;
/** At the caps of docs/protocol/limits.md#16.3. */
let large: string;
let small: string;
let ownerId: string;
let memberId: string;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const testDatabase = await createTestDatabase();
  const logger = createLogger({ service: "gateway", level: "silent", nodeId: "test" });
  database = await connectDatabase({ url: testDatabase.url, poolMax: 4, applicationName: "test", logger });
  rows = createRows(database);
  stops.push(database.close, testDatabase.drop);
  [ownerId, memberId] = [await rows.user(), await rows.user()];
  [large, small] = [await rows.server(ownerId, [memberId]), await rows.server(ownerId, [memberId])];
  await rows.channel(small);
  await fill(large);
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

/** 250 roles, all of them the member's; 500 channels with 100 overrides each that deny VIEW_CHANNEL. */
async function fill(serverId: string): Promise<void> {
  const { prisma } = database;
  await prisma.$executeRawUnsafe(
    `INSERT INTO roles (server_id, name, permissions, position)
     SELECT $1::uuid, 'role ' || n, 0, n FROM generate_series(1, 250) n`,
    serverId,
  );
  await prisma.$executeRawUnsafe(
    "INSERT INTO member_roles (server_id, user_id, role_id) SELECT $1::uuid, $2::uuid, id FROM roles WHERE server_id = $1::uuid",
    serverId,
    memberId,
  );
  await prisma.$executeRawUnsafe(
    `INSERT INTO channels (server_id, name, position)
     SELECT $1::uuid, 'channel ' || n, n FROM generate_series(1, 500) n`,
    serverId,
  );
  await prisma.$executeRawUnsafe(
    `INSERT INTO channel_overrides (channel_id, role_id, allow, deny)
     SELECT c.id, r.id, 0, 1 FROM channels c
     CROSS JOIN (SELECT id FROM roles WHERE server_id = $1::uuid ORDER BY position LIMIT 100) r
     WHERE c.server_id = $1::uuid`,
    serverId,
  );
  await prisma.$executeRawUnsafe("ANALYZE channel_overrides, channels, roles, member_roles");
}

/** The database, with a hook for the statements that ask for these servers and no others. */
function intercept(onQuery: (serverIds: readonly string[]) => Promise<void>): Pick<Database, "query"> {
  return {
    async query<Row>(statement: Statement<Row>, values: readonly SqlValue[]): Promise<Row[]> {
      const servers = values[2];
      await onQuery(Array.isArray(servers) ? servers.map(String) : []);
      return database.query(statement, values);
    },
  };
}

describe("loading permissions", () => {
  test("loading permissions answers about small and large servers, and about one that is gone", async () => {
    const load = createPermissionLoader({ database });
    const userIds = [memberId, await rows.user()];
    const [ofSmall, ofLarge, ofNone] = await Promise.all(
      [small, large, memberId].map((serverId) => load({ serverId, userIds })),
    );
    expect([ofSmall?.isLarge, ofSmall?.rules?.channels.size]).toEqual([false, 1]);
    expect([...(ofSmall?.members ?? [])]).toEqual([[memberId, []]]);
    expect([ofLarge?.isLarge, ofLarge?.rules?.channels.size, ofLarge?.members.get(memberId)?.length]).toEqual([
      true,
      500,
      250,
    ]);
    expect(ofLarge?.rules?.ownerId).toBe(ownerId);
    for (const rule of ofLarge?.rules?.channels.values() ?? []) {
      expect(rule?.overrides.deniedRoles.size).toBe(100);
    }
    expect(ofNone).toMatchObject({ rules: null, members: new Map() });
  });

  test("loading permissions finds no rule for a channel whose overrides only allow", async () => {
    const serverId = await rows.server(ownerId);
    const channelId = await rows.channel(serverId);
    await rows.override(channelId, { user_id: memberId }, { allow: permissionBits.VIEW_CHANNEL });
    const { rules } = await createPermissionLoader({ database })({ serverId, userIds: [] });
    expect([...(rules?.channels ?? [])]).toEqual([[channelId, null]]);
  });

  test("loading permissions does not let small servers wait for a large one", async () => {
    const released = createGate();
    let askedAlone = false;
    const load = createPermissionLoader({
      database: intercept(async (serverIds) => {
        if (serverIds.length !== 1 || serverIds[0] !== large || !askedAlone) {
          askedAlone = true;
          return;
        }
        await released.opened;
      }),
    });
    const ofLarge = load({ serverId: large, userIds: [] });
    expect((await load({ serverId: small, userIds: [] })).rules?.channels.size).toBe(1);
    expect((await load({ serverId: small, userIds: [memberId] })).members.size).toBe(1);
    released.open();
    expect((await ofLarge).rules?.channels.size).toBe(500);
  });

  test("loading permissions fails only the server whose permissions cannot be read", async () => {
    const load = createPermissionLoader({
      database: intercept(async (serverIds) => {
        if (serverIds.includes(large)) throw new Error("canceling statement due to statement timeout");
      }),
    });
    const [ofLarge, ofSmall] = await Promise.allSettled(
      [large, small].map((serverId) => load({ serverId, userIds: [] })),
    );
    expect([ofLarge?.status, ofSmall?.status]).toEqual(["rejected", "fulfilled"]);
  });

  test("loading permissions keeps no more of what READY says about servers than the limit, the last ones", async () => {
    const asked: (readonly string[])[] = [];
    const find = createServerStructures({
      database: {
        query<Row>(statement: Statement<Row>, values: readonly SqlValue[]): Promise<Row[]> {
          const [servers] = values;
          asked.push(Array.isArray(servers) ? servers.map(String) : []);
          return database.query(statement, values);
        },
      },
      bytesMax: 1_000_000,
    });
    const version = async (serverId: string) => (await find(new Map([[serverId, ""]]))).get(serverId)?.version ?? "";
    const [ofSmall, ofLarge] = [await version(small), await version(large)];
    await find(new Map([[large, ofLarge]]));
    await find(new Map([[small, ofSmall]]));
    await find(new Map([[small, ofSmall]]));
    expect(asked).toEqual([[small], [large], [large], [small]]);
  });

  test("loading the permissions of a server at the caps: how long it blocks the event loop", async () => {
    const load = createPermissionLoader({ database });
    const measure = async (what: string, work: () => Promise<unknown>) => {
      const durations: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        const delay = monitorEventLoopDelay({ resolution: 1 });
        delay.enable();
        await work();
        // A turn more, so that work that the answer caused counts, too.
        await new Promise((turn) => setImmediate(turn));
        delay.disable();
        durations.push(delay.max / 1e6);
      }
      process.stdout.write(`${what}: longest stall ${durations.map((ms) => ms.toFixed(1)).join(", ")} ms\n`);
    };
    await measure("permissions of 500 channels with 100 overrides each", () =>
      load({ serverId: large, userIds: [memberId] }),
    );
    const { rules, members } = await load({ serverId: large, userIds: [memberId] });
    const roles = members.get(memberId) ?? [];
    const startedAt = performance.now();
    for (const rule of rules?.channels.values() ?? [])
      if (rules !== null) mayViewChannel(rules, rule, { id: memberId, roles });
    const viewMs = performance.now() - startedAt;
    process.stdout.write(`view of all 500 channels by a member with 250 roles: ${viewMs.toFixed(1)} ms\n`);
    await measure("what READY says about the server", async () => {
      const find = createServerStructures({ database });
      const structures = await find(new Map([[large, ""]]));
      expect(structures.get(large)?.overrides.size).toBe(500);
    });
  });
});
