import { createClient, createServerWithMembers, useMortalStack, waitUntil } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

const mortal = useMortalStack();
let database: pg.Client;
let locker: pg.Client;

beforeAll(async () => {
  const { stack } = mortal;
  database = new pg.Client({ connectionString: stack.databaseUrl });
  locker = new pg.Client({ connectionString: stack.databaseUrl });
  await Promise.all([database.connect(), locker.connect()]);
});
afterAll(async () => {
  await Promise.all([database?.end(), locker?.end()]);
});

test("a process that dies while it writes the audit entry leaves no moderation without its entry", async () => {
  const [api] = mortal.stack.apis;
  if (api === undefined) throw new Error("no api");
  const { server, owner, members } = await createServerWithMembers(createClient(api.url), 2);
  const [first, second] = members;
  const kick = (userId: string) => owner.post(`/servers/${server.id}/members/${userId}/kick`);
  const remains = async (userId: string) => {
    const { rows } = await database.query<{ members: string; entries: string }>(
      `SELECT (SELECT count(*) FROM members WHERE server_id = $1 AND user_id = $2) AS members,
        (SELECT count(*) FROM audit_log_entries WHERE server_id = $1 AND target_id = $2) AS entries`,
      [server.id, userId],
    );
    return rows[0];
  };
  const waiters = async () => {
    const { rowCount } = await database.query(
      "SELECT 1 FROM pg_locks WHERE relation = 'audit_log_entries'::regclass AND NOT granted",
    );
    return rowCount ?? 0;
  };

  await locker.query("BEGIN");
  await locker.query("LOCK TABLE audit_log_entries IN ACCESS EXCLUSIVE MODE");
  const interrupted = kick(first.user.id).catch(() => null);
  await waitUntil(async () => (await waiters()) > 0, { what: "the entry to be written" });
  await api.kill();
  expect(await interrupted).toBeNull();
  await waitUntil(async () => {
    // PostgreSQL looks for the client's end when the statement is through.
    await database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE relation = 'audit_log_entries'::regclass AND NOT granted",
    );
    return (await waiters()) === 0;
  });
  await locker.query("COMMIT");
  expect(await remains(first.user.id)).toEqual({ members: "1", entries: "0" });

  await api.restart();
  expect((await kick(second.user.id)).status).toBe(204);
  expect(await remains(second.user.id)).toEqual({ members: "0", entries: "1" });
});
