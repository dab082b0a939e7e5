import { defineStatement, unreadCountedMax } from "@parley/database";
import type { Database } from "@parley/database/prisma";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readyBatchMax } from "../limits.js";
import { createReadyBuilder } from "./ready.js";
import { type ReadyFixture, startReadyFixture } from "./ready-fixture.js";
import { readyStatement } from "./ready-statement.js";
import { createServerStructures } from "./server-structures.js";

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

/** DM channels with an unread message each, but for the last three without any. */
const manyDmChannelsStatement = defineStatement({
  name: "test_many_dm_channels",
  text: `WITH others AS (
      INSERT INTO users (username) SELECT 'dm_' || left($1::text, 8) || '_' || n FROM generate_series(1, $2::int) n
      RETURNING id, substring(username FROM '[0-9]+$')::int AS n
    ), channels AS (
      INSERT INTO dm_channels (user_low, user_high, created_at, last_message_at)
      SELECT least(id, $1::uuid), greatest(id, $1::uuid), '2026-01-01'::timestamptz + n * interval '1 second',
        CASE WHEN n > 3 THEN '2026-02-01'::timestamptz - n * interval '1 minute' END
      FROM others
      RETURNING id, user_low, user_high
    )
    INSERT INTO dm_messages (channel_id, author_id, content)
    SELECT id, CASE WHEN user_low = $1::uuid THEN user_high ELSE user_low END, 'text' FROM channels`,
  row: () => null,
});
const newestDmChannelsStatement = defineStatement({
  name: "test_newest_dm_channels",
  text: `SELECT id FROM dm_channels WHERE $1::uuid IN (user_low, user_high)
    ORDER BY last_message_at DESC NULLS LAST, created_at DESC, id DESC`,
  row: (row) => String(row.id),
});

const day = (number: number) => new Date(Date.UTC(2026, 0, number, 10, 20, 30, 45));

describe("READY", () => {
  test("READY is empty but complete for a new user, with every field of the account", async () => {
    const user = await database.prisma.user.create({
      data: { username: "New_user", email: "new@example.org", bio: 'a "bio"\n', is_admin: true, created_at: day(1) },
    });
    expect(await ready(user.id)).toEqual({
      user: {
        id: user.id,
        username: "New_user",
        email: "new@example.org",
        avatar_url: null,
        bio: 'a "bio"\n',
        pronouns: null,
        status: "offline",
        custom_status: null,
        activity: null,
        created_at: "2026-01-01T10:20:30.045Z",
        is_admin: true,
      },
      servers: [],
      dm_channels: [],
      unread_counts: [],
      mention_counts: [],
      server_roles: {},
      channel_overrides: {},
    });
  });

  test("READY is nothing for an account that is gone", async () => {
    expect(await fixture.frame("0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60")).toBeNull();
  });

  test("READY lists servers oldest first in their raw shape and the roles of every one, highest first", async () => {
    const [user, owner] = [await rows.user(), await rows.user()];
    const newer = await rows.server(owner, [user]);
    const older = await rows.server(owner, [user]);
    await rows.server(owner);
    await database.prisma.server.update({
      where: { id: newer },
      data: { name: "newer", created_at: day(2), updated_at: day(4), icon_url: "https://example.org/i.png" },
    });
    await database.prisma.server.update({ where: { id: older }, data: { created_at: day(1), updated_at: day(1) } });
    const low = await rows.role(newer, 3);
    const high = await rows.role(newer);
    await database.prisma.role.update({ where: { id: high }, data: { position: 7, created_at: day(3), name: "high" } });
    const { servers, server_roles } = await ready(user);
    expect(servers.map((server) => server.id)).toEqual([older, newer]);
    expect(servers[1]).toEqual({
      id: newer,
      name: "newer",
      owner_id: owner,
      icon_url: "https://example.org/i.png",
      is_public: false,
      require_invite: false,
      created_at: "2026-01-02T10:20:30.045Z",
      updated_at: "2026-01-04T10:20:30.045Z",
    });
    expect(Object.keys(server_roles).sort()).toEqual([older, newer].sort());
    expect(server_roles[older]).toEqual([]);
    expect(server_roles[newer]?.map((role) => role.id)).toEqual([high, low]);
    expect(server_roles[newer]?.[0]).toEqual({
      id: high,
      server_id: newer,
      name: "high",
      permissions: 0,
      color: "#95a5a6",
      position: 7,
      created_at: "2026-01-03T10:20:30.045Z",
    });
  });

  test("READY has with v=2 the rights of roles, and the everyone role last", async () => {
    const [user, owner] = [await rows.user(), await rows.user()];
    const server = await rows.server(owner, [user]);
    const role = await rows.role(server, 0);
    await database.prisma.role.update({ where: { id: role }, data: { rights: 12 } });
    await database.prisma.server.update({
      where: { id: server },
      data: { everyone_permissions: 1, everyone_rights: 64 },
    });
    const [before, after] = [await ready(user), await ready(user, 2)];
    expect(before.server_roles[server]?.map(({ id, rights }) => [id, rights])).toEqual([[role, undefined]]);
    expect(after.server_roles[server]?.map(({ id, rights }) => [id, rights])).toEqual([
      [role, ["review_reports", "view_audit_log"]],
      [server, ["use_apps"]],
    ]);
    const everyone = { name: "everyone", permissions: 1, color: "#95a5a6", position: 0, server_id: server };
    expect(after.server_roles[server]?.at(-1)).toMatchObject(everyone);
  });

  test("READY lists direct messages as the REST list does, the other participant without e-mail and admin flag", async () => {
    const user = await rows.user();
    const others = await Promise.all(
      Array.from({ length: 4 }, (_, number) =>
        database.prisma.user.create({
          data: { username: `other_${number}_${process.pid}`, email: `other${number}@example.org`, is_admin: true },
        }),
      ),
    );
    const times = [
      { created_at: day(1), last_message_at: day(5) },
      { created_at: day(2), last_message_at: day(6) },
      { created_at: day(3), last_message_at: null },
      { created_at: day(4), last_message_at: null },
    ];
    const channels: string[] = [];
    for (const [number, other] of others.entries()) {
      const [user_low = "", user_high = ""] = [user, other.id].sort();
      const channel = await database.prisma.dmChannel.create({ data: { user_low, user_high, ...times[number] } });
      channels.push(channel.id);
    }
    const { dm_channels } = await ready(user);
    expect(dm_channels.map((channel) => channel.id)).toEqual([channels[1], channels[0], channels[3], channels[2]]);
    expect(dm_channels[0]).toMatchObject({
      recipient: { id: others[1]?.id, email: null, is_admin: false },
      created_at: "2026-01-02T10:20:30.045Z",
      last_message_at: "2026-01-06T10:20:30.045Z",
    });
    expect(dm_channels[3]?.last_message_at).toBeNull();
  });

  test("READY lists the newest 200 direct-message channels only, with the counts of those", async () => {
    const user = await rows.user();
    await database.query(manyDmChannelsStatement, [user, 205]);
    const { dm_channels, unread_counts } = await ready(user);
    const expected = await database.query(newestDmChannelsStatement, [user]);
    expect(expected).toHaveLength(205);
    expect(dm_channels.map((channel) => channel.id)).toEqual(expected.slice(0, 200));
    expect(unread_counts.map((entry) => entry.channel_id)).toEqual(expected.slice(0, 200));
  });

  test("READY counts undeleted root messages by others after the mark, or after joining without a mark", async () => {
    const [user, author] = [await rows.user(), await rows.user()];
    const server = await rows.server(author, [user]);
    const [marked, unmarked, quiet] = [
      await rows.channel(server),
      await rows.channel(server),
      await rows.channel(server),
    ];
    await database.prisma.member.update({
      where: { server_id_user_id: { server_id: server, user_id: user } },
      data: { joined_at: day(10) },
    });
    await database.prisma.readState.create({ data: { user_id: user, channel_id: marked, last_read_at: day(20) } });
    await message({ channel: marked, server, author, at: day(15), everyone: true });
    await message({ channel: marked, server, author, at: day(20), everyone: true });
    const root = await message({ channel: marked, server, author, at: day(21) });
    await message({ channel: marked, server, author: null, at: day(22), mentions: [user] });
    await message({ channel: marked, server, author, at: day(23), everyone: true });
    await message({ channel: marked, server, author, at: day(24), mentions: [author] });
    await message({ channel: marked, server, author: user, at: day(25), mentions: [user] });
    await message({ channel: marked, server, author, at: day(26), mentions: [user], deleted: true });
    await message({ channel: marked, server, author, at: day(27), mentions: [user], thread: root });
    await message({ channel: unmarked, server, author, at: day(9) });
    await message({ channel: unmarked, server, author, at: day(11) });
    await message({ channel: quiet, server, author, at: day(9) });
    const { unread_counts, mention_counts } = await ready(user);
    expect(unread_counts).toEqual([
      { channel_id: marked, unread_count: 4 },
      { channel_id: unmarked, unread_count: 1 },
    ]);
    expect(mention_counts).toEqual([{ channel_id: marked, count: 2 }]);
  });

  test("READY counts nothing of the time before somebody joined again, whatever they had read before they left", async () => {
    const [user, author] = [await rows.user(), await rows.user()];
    const server = await rows.server(author, [user]);
    const channel = await rows.channel(server);
    await database.prisma.readState.create({ data: { user_id: user, channel_id: channel, last_read_at: day(5) } });
    for (const at of [day(6), day(7)]) await message({ channel, server, author, at, everyone: true });
    await database.prisma.member.update({
      where: { server_id_user_id: { server_id: server, user_id: user } },
      data: { joined_at: day(8) },
    });
    expect(await ready(user)).toMatchObject({ unread_counts: [], mention_counts: [] });
    await message({ channel, server, author, at: day(9), everyone: true });
    expect(await ready(user)).toMatchObject({
      unread_counts: [{ channel_id: channel, unread_count: 1 }],
      mention_counts: [{ channel_id: channel, count: 1 }],
    });
  });

  test("READY counts no more than the newest messages of a long backlog, and exactly up to there", async () => {
    const [user, author] = [await rows.user(), await rows.user()];
    const server = await rows.server(author, [user]);
    const [long, short] = [await rows.channel(server), await rows.channel(server)];
    await database.prisma.member.updateMany({ where: { server_id: server }, data: { joined_at: new Date(0) } });
    const backlog = (channel_id: string, count: number, author_id = author) =>
      database.prisma.message.createMany({
        data: Array.from({ length: count }, () => ({
          channel_id,
          server_id: server,
          author_id,
          content: "text",
          mention_everyone: true,
        })),
      });
    await backlog(long, unreadCountedMax + 5);
    await backlog(short, unreadCountedMax);
    await backlog(long, 1, user);
    const { unread_counts, mention_counts } = await ready(user);
    expect(new Map(unread_counts.map(({ channel_id, unread_count }) => [channel_id, unread_count]))).toEqual(
      new Map([
        [long, unreadCountedMax - 1],
        [short, unreadCountedMax],
      ]),
    );
    expect(mention_counts.map(({ count }) => count).sort()).toEqual([unreadCountedMax, unreadCountedMax - 1].sort());
  });

  test("READY counts unread direct messages after the mark, or after the channel's creation, and no mentions of them", async () => {
    const [user, other] = [await rows.user(), await rows.user()];
    const [user_low = "", user_high = ""] = [user, other].sort();
    const { id } = await database.prisma.dmChannel.create({ data: { user_low, user_high, created_at: day(1) } });
    for (const author_id of [other, other, user]) {
      await database.prisma.dmMessage.create({ data: { channel_id: id, author_id, content: "text" } });
    }
    expect((await ready(user)).unread_counts).toEqual([{ channel_id: id, unread_count: 2 }]);
    await database.prisma.dmReadState.create({
      data: { user_id: user, channel_id: id, last_read_at: new Date(Date.now() + 1_000) },
    });
    const { unread_counts, mention_counts } = await ready(user);
    expect({ unread_counts, mention_counts }).toEqual({ unread_counts: [], mention_counts: [] });
  });

  test("READY leaves out counts and overrides of channels that the user may not view", async () => {
    const [owner, denied, byRole, byUser, administrator] = [
      await rows.user(),
      await rows.user(),
      await rows.user(),
      await rows.user(),
      await rows.user(),
    ];
    const server = await rows.server(owner, [denied, byRole, byUser, administrator]);
    const everyone = await rows.role(server);
    const trusted = await rows.role(server);
    const administrators = await rows.role(server, 8192);
    for (const user of [denied, byRole, byUser, administrator]) await rows.giveRole(server, user, everyone);
    await rows.giveRole(server, byRole, trusted);
    await rows.giveRole(server, administrator, administrators);
    const [open, hidden] = [await rows.channel(server), await rows.channel(server)];
    for (const channel of [open, hidden])
      await message({ channel, server, author: null, at: new Date(Date.now() + 60_000) });
    await database.prisma.channelOverride.create({ data: { channel_id: open, role_id: everyone, allow: 0, deny: 2 } });
    const deny = await database.prisma.channelOverride.create({
      data: { channel_id: hidden, role_id: everyone, allow: 0, deny: 1 },
    });
    await database.prisma.channelOverride.create({ data: { channel_id: hidden, role_id: trusted, allow: 1, deny: 0 } });
    await database.prisma.channelOverride.create({ data: { channel_id: hidden, user_id: byUser, allow: 1, deny: 0 } });
    for (const user of [owner, byRole, byUser, administrator]) {
      const { unread_counts, channel_overrides } = await ready(user);
      expect(unread_counts.map((entry) => entry.channel_id).sort()).toEqual([open, hidden].sort());
      expect(Object.keys(channel_overrides).sort()).toEqual([open, hidden].sort());
      expect(channel_overrides[hidden]).toHaveLength(3);
      expect(channel_overrides[hidden]).toContainEqual({
        id: deny.id,
        channel_id: hidden,
        role_id: everyone,
        user_id: null,
        allow: 0,
        deny: 1,
      });
    }
    const { unread_counts, channel_overrides } = await ready(denied);
    expect(unread_counts.map((entry) => entry.channel_id)).toEqual([open]);
    expect(Object.keys(channel_overrides)).toEqual([open]);
  });

  test("READY reads many who come together by few statements", async () => {
    const asked: unknown[] = [];
    const counted: Pick<Database, "query"> = {
      query(statement, values) {
        if (statement.name === readyStatement.name) asked.push(values[0]);
        return database.query(statement, values);
      },
    };
    const users = await Promise.all(Array.from({ length: 6 * readyBatchMax }, () => rows.user()));
    const build = createReadyBuilder({ database: counted, findStructures: createServerStructures({ database }) });
    const frames = await Promise.all(users.map((user) => build(user, { version: 1, shard: null })));
    expect(frames.every((frame) => frame !== null)).toBe(true);
    expect(asked.flat()).toEqual(users);
    expect(asked).toHaveLength(6);
  });
});
