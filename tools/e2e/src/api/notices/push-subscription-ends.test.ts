import { AuthResponse } from "@parley/contracts";
import { type UserClient, waitingForLocks, waitUntil } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createBotClient, registerAdmin, runSql } from "../stages/admin-stage.js";
import { useLockStage } from "../stages/lock-stage.js";
import {
  idsOf,
  listSubscriptions,
  makeDevice,
  subscribe,
  subscriptionsPath,
} from "../stages/push-subscription-stage.js";

const stage = useLockStage();

/** Another session of the user. */
async function login({ username, password }: UserClient) {
  const { access_token } = (await stage.client.post("/auth/login", { username, password })).expect(200, AuthResponse);
  return stage.client.withAuthorization(`Bearer ${access_token}`);
}

describe("a device goes", () => {
  test("with the session that named it last, and with no other one", async () => {
    const user = await stage.client.register();
    const other = await login(user);
    const [mine, moved] = [makeDevice(), makeDevice()];
    const kept = await subscribe(user, mine);
    await subscribe(user, moved);
    await subscribe(other, moved, 200);
    await subscribe(other);
    expect((await other.post("/auth/logout")).status).toBe(204);
    expect(await listSubscriptions(user)).toEqual([kept]);
  });

  test("with a session that another one ends", async () => {
    const user = await stage.client.register();
    const other = await login(user);
    const kept = await subscribe(user);
    await subscribe(other);
    const sessions = (await other.get("/auth/sessions")).expect(
      200,
      z.array(z.object({ id: z.string(), current: z.boolean() })),
    );
    const current = sessions.find((session) => session.current);
    expect((await user.delete(`/auth/sessions/${current?.id}`)).status).toBe(204);
    expect(await listSubscriptions(user)).toEqual([kept]);
  });

  test("with all sessions, when the password changes", async () => {
    const user = await stage.client.register();
    await subscribe(user);
    const change = { current_password: user.password, new_password: `${user.password}!` };
    const { access_token } = (await user.post("/auth/change-password", change)).expect(200, AuthResponse);
    expect(await listSubscriptions(stage.client.withAuthorization(`Bearer ${access_token}`))).toEqual([]);
  });

  test("when an administrator disables the account, and when it is deleted", async () => {
    const [user, gone] = [await stage.client.register(), await stage.client.register()];
    const devices = [await subscribe(user), await subscribe(gone)];
    const admin = await registerAdmin(stage.client, stage.stack.databaseUrl);
    expect((await admin.patch(`/admin/users/${user.user.id}`, { disabled: true })).status).toBe(200);
    expect((await gone.delete("/users/@me", { password: gone.password })).status).toBe(204);
    const left = await runSql(stage.stack.databaseUrl, "SELECT FROM push_subscriptions WHERE id = ANY($1)", [
      idsOf(devices),
    ]);
    expect(left).toEqual([]);
  });

  test("when a bot gets another token, is revoked, or loses its owner", async () => {
    const owner = await stage.client.register();
    const bots = [await createBotClient(owner), await createBotClient(owner), await createBotClient(owner)];
    const devices = await Promise.all(bots.map((bot) => subscribe(bot.client)));
    const left = async () => {
      const sql = "SELECT id FROM push_subscriptions WHERE id = ANY($1) ORDER BY array_position($1, id)";
      return z.array(z.object({ id: z.string() })).parse(await runSql(stage.stack.databaseUrl, sql, [idsOf(devices)]));
    };
    expect(await left()).toHaveLength(3);
    expect((await owner.post(`/bots/${bots[0]?.id}/token/regenerate`)).status).toBe(200);
    expect(idsOf(await left())).toEqual(idsOf(devices.slice(1)));
    expect((await owner.delete(`/bots/${bots[1]?.id}`)).status).toBe(204);
    expect(idsOf(await left())).toEqual(idsOf(devices.slice(2)));
    expect((await owner.delete("/users/@me", { password: owner.password })).status).toBe(204);
    expect(await left()).toEqual([]);
  });

  test("also one that is stored while its sessions end", async () => {
    const user = await stage.client.register();
    const { database } = stage;
    try {
      await database.query("BEGIN");
      await database.query("UPDATE users SET session_version = session_version + 1 WHERE id = $1", [user.user.id]);
      const answer = user.post(subscriptionsPath, makeDevice());
      await waitUntil(async () => (await waitingForLocks(database, { statement: "FOR SHARE OF u" })) > 0);
      await database.query("COMMIT");
      expect((await answer).status).toBe(401);
    } finally {
      await database.query("ROLLBACK");
    }
  });

  test("also one that is stored while its session is ended: the end waits for it", async () => {
    const user = await stage.client.register();
    const other = await login(user);
    const body = makeDevice();
    const { id } = await subscribe(user, body);
    const { database } = stage;
    try {
      await database.query("BEGIN");
      await database.query("SELECT FROM push_subscriptions WHERE id = $1 FOR UPDATE", [id]);
      const answer = other.post(subscriptionsPath, body);
      await waitUntil(async () => (await waitingForLocks(database, { statement: "INTO push_subscriptions" })) > 0);
      const logout = other.post("/auth/logout");
      await waitUntil(async () => (await waitingForLocks(database, { statement: "pg_advisory_xact_lock" })) > 0);
      await database.query("COMMIT");
      expect([(await answer).status, (await logout).status]).toEqual([200, 204]);
    } finally {
      await database.query("ROLLBACK");
    }
    expect(await listSubscriptions(user)).toEqual([]);
  });
});
