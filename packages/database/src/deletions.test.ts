import { readFile } from "node:fs/promises";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

let database: TestDatabase;
let client: pg.Client;

/** @n → a fixed UUID, as in test-world.sql. */
const withIds = (sql: string) =>
  sql.replaceAll(/@(\d+)/g, (_, n: string) => `'00000000-0000-7000-8000-${n.padStart(12, "0")}'`);

const run = (sql: string) => client.query(withIds(sql));

async function count(from: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(withIds(`SELECT count(*)::integer AS count FROM ${from}`));
  return rows[0]?.count ?? -1;
}

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await run(await readFile(new URL("test-world.sql", import.meta.url), "utf8"));
});
beforeEach(() => client.query("BEGIN"));
afterEach(() => client.query("ROLLBACK"));
afterAll(async () => {
  await client.end();
  await database.drop();
});

describe("deleting", () => {
  test("a server removes everything of it and leaves the audit log as it is", async () => {
    await run("DELETE FROM servers WHERE id = @10");
    for (const table of ["channels", "roles"]) {
      expect([table, await count(`${table} WHERE server_id = @10`)]).toEqual([table, 0]);
    }
    for (const table of [
      ...["channel_overrides", "invites", "custom_emojis", "automod_configs"],
      ...["automod_words", "automod_logs", "webhooks", "webhook_deliveries", "incoming_webhooks"],
    ]) {
      expect([table, await count(table)]).toEqual([table, 0]);
    }
    expect(await count("audit_log_entries WHERE id = @75 AND server_id = @10 AND actor_id = @2")).toBe(1);
    expect([await count("channels"), await count("users")]).toEqual([1, 7]);
    const orphans = await client.query(
      "SELECT table_name || ' ' || right(parent_id::text, 2) AS o FROM orphans ORDER BY 1",
    );
    expect(orphans.rows.map(({ o }) => o)).toEqual([
      ...["bans 10", "insight_marks 10", "member_notes 10", "member_roles 30", "members 10", "membership_changes 10"],
      ...["messages 20", "read_states 20", "reports 10", "timeouts 10"],
    ]);
  });

  test("a server leaves members, bans and timeouts to be deleted later and takes no new ones", async () => {
    await run("INSERT INTO bans (server_id, user_id) VALUES (@10, @4)");
    await run("DELETE FROM servers WHERE id = @10");
    expect(await count("members WHERE server_id = @10")).toBe(3);
    expect([await count("bans WHERE server_id = @10"), await count("timeouts"), await count("member_roles")]).toEqual([
      ...[1, 1, 1],
    ]);
    await run("DELETE FROM members WHERE server_id = @10 AND user_id = @2");
    expect(await count("member_roles")).toBe(0);
    for (const [table, late] of [
      ["members", "INSERT INTO members (server_id, user_id) VALUES (@10, @4)"],
      ["bans", "INSERT INTO bans (server_id, user_id) VALUES (@10, @3)"],
      [
        "timeouts",
        "INSERT INTO timeouts (server_id, user_id, expires_at) VALUES (@10, @3, now()) ON CONFLICT (server_id, user_id) DO UPDATE SET reason = 'x'",
      ],
    ] as const) {
      await run("SAVEPOINT late");
      await expect(run(late)).rejects.toMatchObject({ code: "23503", constraint: `${table}_server_id_fkey` });
      await run("ROLLBACK TO SAVEPOINT late");
    }
  });

  test("an account takes its membership in a deleted server with it", async () => {
    await run("DELETE FROM servers WHERE id = @10");
    await run("DELETE FROM users WHERE id = @2");
    expect(await count("members WHERE user_id = @2")).toBe(0);
    expect(await count("members WHERE server_id = @10")).toBe(2);
  });

  test("a process of the version before finds the work that it knows in its own tables", async () => {
    await run("DELETE FROM servers WHERE id = @10");
    expect([await count("purges WHERE channel_id = @20"), await count("role_purges WHERE role_id = @30")]).toEqual([
      ...[1, 1],
    ]);
    await run("SELECT channel_id FROM purges ORDER BY created_at, channel_id LIMIT 1 FOR UPDATE SKIP LOCKED");
    await run("DELETE FROM purges WHERE channel_id = @20");
    await run("DELETE FROM role_purges WHERE role_id = @30");
    expect(await count("orphans WHERE table_name IN ('messages', 'member_roles')")).toBe(0);
    expect(await count("orphans WHERE parent_id = @20 AND table_name = 'read_states'")).toBe(1);
  });

  test("a channel leaves its messages and read states to be deleted later and takes no new ones", async () => {
    await run("DELETE FROM channels WHERE id = @20");
    expect(await count("channel_overrides")).toBe(0);
    expect(await count("orphans WHERE parent_id = @20 AND table_name IN ('messages', 'read_states')")).toBe(2);
    expect([await count("messages WHERE channel_id = @20"), await count("read_states")]).toEqual([6, 1]);
    await run("SAVEPOINT late");
    const late = run("INSERT INTO messages (channel_id, server_id, content) VALUES (@20, @10, 'late')");
    await expect(late).rejects.toMatchObject({ code: "23503", constraint: "messages_channel_id_server_id_fkey" });
    await run("ROLLBACK TO SAVEPOINT late");
    const mark = run(
      "INSERT INTO read_states VALUES (@2, @20, now()) ON CONFLICT (user_id, channel_id) DO UPDATE SET last_read_at = now()",
    );
    await expect(mark).rejects.toMatchObject({ code: "23503", constraint: "read_states_channel_id_fkey" });
  });

  test("a channel keeps the automod log", async () => {
    await run("DELETE FROM channels WHERE id = @20");
    expect(await count("automod_logs WHERE id = @77 AND channel_id IS NULL AND user_id = @2")).toBe(1);
  });

  test("a message removes what hangs on it", async () => {
    await run("DELETE FROM messages WHERE channel_id = @20");
    for (const table of [
      ...["reactions", "polls", "poll_options", "poll_votes", "scheduled_events", "attachments"],
      ...["message_previews", "preview_tasks"],
    ]) {
      expect([table, await count(table)]).toEqual([table, 0]);
    }
  });

  test("a message softly removes its link cards, also those that are still to be made", async () => {
    await run("UPDATE messages SET deleted = true WHERE id = @40");
    expect([await count("message_previews"), await count("preview_tasks")]).toEqual([0, 0]);
  });

  test("a direct message removes what hangs on it, and stays as a cursor", async () => {
    await run("DELETE FROM dm_messages");
    expect([await count("dm_reactions"), await count("dm_attachments"), await count("deleted_dm_messages")]).toEqual([
      ...[0, 0, 1],
    ]);
  });

  test("a group that nobody is in any more is left to be removed, however it came to that", async () => {
    const left = () => count("orphans WHERE table_name = 'dm_groups' AND parent_id = @77");
    await run("DELETE FROM dm_group_members WHERE user_id = @1");
    expect(await left()).toBe(0);
    await run("DELETE FROM users WHERE id = @2");
    expect(await left()).toBe(1);
    expect([await count("dm_channels WHERE id = @77"), await count("dm_group_members")]).toEqual([1, 0]);
  });

  test("a message softly removes its scheduled event", async () => {
    await run("UPDATE messages SET deleted = true WHERE id = @42");
    expect(await count("scheduled_events WHERE message_id = @42")).toBe(0);
    expect(await count("scheduled_events")).toBe(1);
  });

  test("a membership removes its roles and keeps overrides, timeout and read state", async () => {
    await run("DELETE FROM members WHERE server_id = @10 AND user_id IN (@2, @3)");
    expect(await count("member_roles")).toBe(0);
    expect(await count("channel_overrides WHERE user_id = @2")).toBe(1);
    expect([await count("timeouts"), await count("read_states")]).toEqual([1, 1]);
  });

  test("a role removes its overrides, leaves its assignments to be deleted later and takes no new one", async () => {
    await run("DELETE FROM roles WHERE id = @30");
    expect([await count("member_roles"), await count("channel_overrides")]).toEqual([1, 1]);
    expect(await count("orphans WHERE table_name = 'member_roles' AND parent_id = @30")).toBe(1);
    const late = run("INSERT INTO member_roles (server_id, user_id, role_id) VALUES (@10, @3, @30)");
    await expect(late).rejects.toMatchObject({ code: "23503", constraint: "member_roles_role_id_server_id_fkey" });
  });

  test("a deleted account's messages stay without its name, and its own rows go", async () => {
    await run("DELETE FROM users WHERE id = @2");
    expect(await count("messages WHERE id IN (@40, @44) AND author_id IS NULL")).toBe(2);
    expect(await count("messages WHERE id = @41 AND pinned AND pinned_by IS NULL")).toBe(1);
    expect(await count("invites WHERE created_by IS NULL")).toBe(1);
    expect(await count("bans WHERE banned_by IS NULL")).toBe(1);
    expect(await count("audit_log_entries WHERE actor_id IS NULL AND server_id = @10")).toBe(1);
    expect(await count("automod_words WHERE created_by IS NULL")).toBe(1);
    expect(await count("automod_logs WHERE user_id IS NULL AND username = 'bob'")).toBe(1);
    expect(await count("bots WHERE created_by IS NULL")).toBe(1);
    expect(await count("scheduled_events WHERE created_by IS NULL")).toBe(2);
    for (const table of ["custom_emojis", "webhooks", "timeouts"]) {
      expect([table, await count(`${table} WHERE created_by IS NULL`)]).toEqual([table, 1]);
    }
    for (const table of ["refresh_sessions", "member_roles", "reactions", "poll_votes", "read_states"]) {
      expect([table, await count(table)]).toEqual([table, 0]);
    }
    for (const table of [
      ...["dm_channels WHERE user_low IS NOT NULL", "dm_group_members WHERE user_id = @2"],
      ...["dm_messages", "dm_read_states"],
      ...["deleted_dm_messages", "dm_reactions", "dm_attachments", "user_blocks", "friendships"],
      ...["notification_settings", "notification_targets", "push_subscriptions", "missed_messages"],
      "passkeys",
    ]) {
      expect([table, await count(table)]).toEqual([table, 0]);
    }
    expect(await count("members WHERE user_id = @2")).toBe(0);
  });

  test("an account that owns a server is refused", async () => {
    await expect(run("DELETE FROM users WHERE id = @1")).rejects.toMatchObject({ constraint: "servers_owner_id_fkey" });
  });
});

describe("pictures", () => {
  const address = "'/media/' || repeat('a', 64)";
  const released = () => count("released_pictures WHERE hash = repeat('a', 64)");

  test.each([
    ["an account that takes another one", "UPDATE users SET avatar_url = 'https://example.org' WHERE id = @2"],
    ["an account that has none any more", "UPDATE users SET avatar_url = NULL WHERE id = @2"],
    ["an account that is deleted", "DELETE FROM users WHERE id = @2"],
    ["a group that takes another one", "UPDATE dm_channels SET icon_url = '/media/' || repeat('b', 64) WHERE id = @77"],
    ["a group that is deleted", "DELETE FROM dm_channels WHERE id = @77"],
    ["a server that takes another one", "UPDATE servers SET icon_url = '/media/' || repeat('b', 64) WHERE id = @10"],
    ["a server that is deleted", "DELETE FROM servers WHERE id = @10"],
  ])("%s gives its picture up", async (_, sql) => {
    await run(`UPDATE users SET avatar_url = ${address} WHERE id = @2`);
    await run(`UPDATE servers SET icon_url = ${address} WHERE id = @10`);
    await run(`UPDATE dm_channels SET icon_url = ${address} WHERE id = @77`);
    expect(await released()).toBe(0);
    await run(sql);
    expect(await released()).toBe(1);
  });

  test("nothing is given up by an account that keeps its picture, or whose picture is elsewhere", async () => {
    await run(`UPDATE users SET avatar_url = ${address} WHERE id = @2`);
    await run("UPDATE users SET avatar_url = avatar_url, bio = 'x' WHERE id = @2");
    await run("UPDATE users SET avatar_url = 'https://example.org' WHERE id = @3");
    await run("UPDATE users SET avatar_url = NULL WHERE id = @3");
    expect(await count("released_pictures")).toBe(0);
  });
});

describe("member_count", () => {
  const memberCounts = async () => {
    const { rows } = await client.query<{ member_count: number }>("SELECT member_count FROM servers ORDER BY id");
    return rows.map((row) => row.member_count);
  };

  test("member_count follows members who join, leave and go with their account", async () => {
    expect(await memberCounts()).toEqual([3, 2]);
    await run("INSERT INTO members (server_id, user_id) VALUES (@10, @4), (@11, @4)");
    expect(await memberCounts()).toEqual([4, 3]);
    await run("DELETE FROM members WHERE user_id = @4 AND server_id = @10");
    expect(await memberCounts()).toEqual([3, 3]);
    await run("DELETE FROM users WHERE id = @2");
    expect(await memberCounts()).toEqual([2, 2]);
    await run("INSERT INTO members (server_id, user_id) VALUES (@10, @1) ON CONFLICT DO NOTHING");
    expect(await memberCounts()).toEqual([2, 2]);
  });

  test("member_count is not a change of the server", async () => {
    const before = await client.query("SELECT updated_at FROM servers ORDER BY id");
    await run("DELETE FROM members WHERE user_id = @3");
    expect((await client.query("SELECT updated_at FROM servers ORDER BY id")).rows).toEqual(before.rows);
  });
});

describe("thread_reply_count", () => {
  const replies = () =>
    count("(SELECT generate_series(1, thread_reply_count) FROM messages WHERE id = @40) AS replies");

  test("thread_reply_count counts the undeleted replies of a root, whatever statement deletes or restores them", async () => {
    expect(await replies()).toBe(2);
    await run("UPDATE messages SET deleted = true WHERE id = @44");
    expect(await replies()).toBe(1);
    await run("UPDATE messages SET deleted = true WHERE id = @44");
    expect(await replies()).toBe(1);
    await run("UPDATE messages SET deleted = false WHERE id = @44");
    await run("UPDATE messages SET content = 'edited' WHERE id = @44");
    expect(await replies()).toBe(2);
    await run(
      "INSERT INTO messages (channel_id, server_id, content, thread_id) SELECT @20, @10, 'x', @40 FROM generate_series(1, 500)",
    );
    expect(await replies()).toBe(502);
  });
});
