import { errorBody as error } from "@parley/contracts";
import { type Answer, createServer, type UserClient } from "@parley/testing";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { registerAdmin, runSql } from "../stages/admin-stage.js";
import { type Statement, sentBehind, useLockStage } from "../stages/lock-stage.js";

const stage = useLockStage();
let admin: UserClient;

// One has to remain.
beforeAll(() => registerAdmin(stage.client, stage.stack.databaseUrl));
beforeEach(async () => {
  admin = await registerAdmin(stage.client, stage.stack.databaseUrl);
});

afterEach(async () => {
  await stage.database.query("UPDATE instance_settings SET registration_mode = 'open'");
});

const demote = { sql: "UPDATE users SET is_admin = false WHERE id = $1", values: () => [admin.user.id] };

/** Sends a request that waits for a lock, under which something is changed before its turn. */
async function sentBefore(
  lock: Statement,
  change: { sql: string; values: () => unknown[] },
  send: () => Promise<Answer>,
) {
  const meanwhile = () => stage.database.query(change.sql, change.values());
  const { status, body } = await sentBehind(stage.database, [lock], { send, meanwhile });
  return [status, body];
}

const settings = { sql: "SELECT FROM instance_settings FOR UPDATE", values: [] };
const refused = [403, error("Admin access required")];

test("a former administrator changes no settings", async () => {
  const send = () => admin.patch("/admin/settings", { registration_mode: "closed" });
  expect(await sentBefore(settings, demote, send)).toEqual(refused);
  const rows = await runSql(stage.stack.databaseUrl, "SELECT registration_mode FROM instance_settings");
  expect(rows).toEqual([{ registration_mode: "open" }]);
});

test("a former administrator resets no password", async () => {
  const email = `${crypto.randomUUID()}@example.com`;
  await runSql(stage.stack.databaseUrl, "UPDATE users SET email = $2 WHERE id = $1", [admin.user.id, email]);
  expect(await sentBefore(settings, demote, () => admin.post("/auth/forgot-password", { email }))).toEqual(refused);
  const resets = "SELECT FROM password_resets WHERE user_id = $1";
  expect(await runSql(stage.stack.databaseUrl, resets, [admin.user.id])).toEqual([]);
});

test("a former administrator deletes no server", async () => {
  const { id } = await createServer(await stage.client.register());
  const lock = { sql: "SELECT FROM servers WHERE id = $1 FOR UPDATE", values: [id] };
  expect(await sentBefore(lock, demote, () => admin.delete(`/admin/servers/${id}`))).toEqual(refused);
  expect(await runSql(stage.stack.databaseUrl, "SELECT id FROM servers WHERE id = $1", [id])).toEqual([{ id }]);
});

test("a second factor that is confirmed while it is removed without a code stays", async () => {
  const user = await stage.client.register();
  expect((await user.post("/auth/second-factor", { password: user.password })).status).toBe(201);
  const ofUser = [user.user.id];
  const lock = { sql: "SELECT FROM second_factors WHERE user_id = $1 FOR UPDATE", values: ofUser };
  const confirm = { sql: "UPDATE second_factors SET confirmed_at = now() WHERE user_id = $1", values: () => ofUser };
  const removal = { password: user.password, code: "000000" };
  const send = () => user.delete("/auth/second-factor", removal);
  expect(await sentBefore(lock, confirm, send)).toEqual([403, error("Invalid second factor code")]);
  expect((await user.get("/auth/second-factor")).body).toMatchObject({ active: true });
});
