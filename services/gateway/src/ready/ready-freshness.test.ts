import type { Ready } from "@parley/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ReadyFixture, startReadyFixture } from "./ready-fixture.js";

let fixture: ReadyFixture;
let rows: ReadyFixture["rows"];
let ready: ReadyFixture["ready"];
let message: ReadyFixture["message"];
let database: ReadyFixture["database"];

beforeAll(async () => {
  fixture = await startReadyFixture();
  ({ rows, ready, message, database } = fixture);
});
afterAll(() => fixture?.stop());

describe("READY", () => {
  test("READY says what is true of a server now, whatever it read of it before", async () => {
    const [owner, user] = [await rows.user(), await rows.user()];
    const server = await rows.server(owner, [user]);
    const channel = await rows.channel(server);
    const role = await rows.role(server);
    await rows.giveRole(server, user, role);
    await message({ channel, server, author: owner, at: new Date(Date.now() + 60_000) });
    const { prisma } = database;
    const where = { id: server };
    let override = "";
    let added = "";

    const changes: [change: () => Promise<unknown>, seen: (payload: Ready) => unknown, expected: () => unknown][] = [
      [async () => {}, (payload) => payload.servers[0]?.name, () => expect.stringMatching(/^name_/)],
      [
        () => prisma.server.update({ where, data: { name: "renamed" } }),
        (payload) => payload.servers[0]?.name,
        () => "renamed",
      ],
      [
        () => prisma.server.update({ where, data: { owner_id: user } }),
        (payload) => payload.servers[0]?.owner_id,
        () => user,
      ],
      [
        () => prisma.server.update({ where, data: { require_invite: true } }),
        (payload) => payload.servers[0]?.require_invite,
        () => true,
      ],
      [() => prisma.server.update({ where, data: { owner_id: owner } }), (payload) => payload.servers.length, () => 1],
      [
        () => prisma.role.update({ where: { id: role }, data: { name: "first" } }),
        (payload) => payload.server_roles[server]?.map(({ name }) => name),
        () => ["first"],
      ],
      [
        async () => {
          override = (await rows.override(channel, { role_id: role }, { deny: 1 })).id;
        },
        (payload) => [payload.unread_counts, payload.channel_overrides],
        () => [[], {}],
      ],
      [
        () => prisma.channelOverride.update({ where: { id: override }, data: { deny: 2 } }),
        (payload) => payload.channel_overrides[channel]?.map(({ deny }) => deny),
        () => [2],
      ],
      [
        async () => {
          added = await rows.channel(server);
          await message({ channel: added, server, author: owner, at: new Date(Date.now() + 60_000) });
        },
        (payload) => payload.unread_counts.map(({ channel_id }) => channel_id).sort(),
        () => [channel, added].sort(),
      ],
      [
        () => prisma.channel.update({ where: { id: channel }, data: { position: 5 } }),
        (payload) => payload.unread_counts.map(({ channel_id }) => channel_id),
        () => [added, channel],
      ],
      [
        () => prisma.channelOverride.delete({ where: { id: override } }),
        (payload) => payload.channel_overrides,
        () => ({}),
      ],
      [
        () => rows.override(channel, { role_id: role }, { deny: 1 }),
        (payload) => payload.channel_overrides,
        () => ({}),
      ],
      // Takes its overrides with it.
      [
        () => prisma.role.delete({ where: { id: role } }),
        (payload) => [payload.server_roles[server], payload.unread_counts.length],
        () => [[], 2],
      ],
      [
        () => prisma.channel.delete({ where: { id: channel } }),
        (payload) => payload.unread_counts.map(({ channel_id }) => channel_id),
        () => [added],
      ],
      [() => prisma.server.delete({ where }), (payload) => payload.servers, () => []],
    ];
    for (const [change, seen, expected] of changes) {
      await change();
      expect(seen(await ready(user))).toEqual(expected());
    }
  });

  test("READY says what is true after a failover that lost the last change of a server", async () => {
    const user = await rows.user();
    const server = await rows.server(user);
    const before = await database.prisma.server.findUniqueOrThrow({ where: { id: server } });
    const lost = await rows.role(server);
    expect((await ready(user)).server_roles[server]?.map(({ id }) => id)).toEqual([lost]);
    // The new primary never got the role: its row and the server's have their old versions, which the disabled trigger
    // leaves alone.
    await database.prisma.$transaction(async (transaction) => {
      await transaction.$executeRaw`SET LOCAL session_replication_role = replica`;
      await transaction.role.delete({ where: { id: lost } });
      await transaction.server.update({
        where: { id: server },
        data: { structure_version: before.structure_version },
      });
    });
    const made = await rows.role(server);
    expect((await ready(user)).server_roles[server]?.map(({ id }) => id)).toEqual([made]);
  });

  test("READY gives many who come together each their own", async () => {
    const users = await Promise.all(Array.from({ length: 40 }, () => rows.user()));
    const servers = new Map<string, string>();
    for (const user of users.slice(0, 5)) servers.set(user, await rows.server(user, [users[39] ?? ""]));
    const payloads = await Promise.all([...users, ...users].map((user) => ready(user)));
    expect(payloads.map((payload) => payload.user.id)).toEqual([...users, ...users]);
    expect(payloads.map((payload) => payload.servers.map(({ id }) => id))).toEqual(
      [...users, ...users].map((user) =>
        user === users[39]
          ? [...servers.values()]
          : [...servers].flatMap(([owner, id]) => (owner === user ? [id] : [])),
      ),
    );
  });
});
