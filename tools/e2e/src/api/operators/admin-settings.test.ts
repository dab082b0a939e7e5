import { AuthResponse, errorBody as error, Invite, InvitePreview, User } from "@parley/contracts";
import {
  connectGateway,
  createClient,
  createServer,
  type MortalStack,
  type RestClient,
  type UserClient,
  useMortalStack,
} from "@parley/testing";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createAdminStage, createBotClient, readAdminLog, runSql } from "../stages/admin-stage.js";

const mortal = useMortalStack();
let stack: MortalStack;
let client: RestClient;
let admin: UserClient;
beforeAll(async () => {
  ({ stack, client, admin } = await createAdminStage(mortal.stack));
});
afterEach(async () => {
  await runSql(stack.databaseUrl, "UPDATE instance_settings SET registration_mode = 'open'");
});

const setMode = async (registration_mode: string) =>
  expect((await admin.patch("/admin/settings", { registration_mode })).status).toBe(200);
let names = 0;
const register = (fields = {}) =>
  client.post("/auth/register", { username: `newcomer_${names++}`, password: "12345678", ...fields });

describe("administrators", () => {
  test("administrators have their rights from the next request on when the database says so, and READY shows it", async () => {
    const ann = await client.register();
    expect((await ann.get("/admin/settings")).body).toEqual(error("Admin access required"));
    await runSql(stack.databaseUrl, "UPDATE users SET is_admin = true WHERE id = $1", [ann.user.id]);
    expect((await ann.get("/admin/settings")).status).toBe(200);
    expect((await ann.get("/users/@me")).expect(200, User).is_admin).toBe(true);
    const socket = connectGateway(stack.edgeUrl, ann.accessToken);
    expect((await socket.ready).user.is_admin).toBe(true);
    await socket.close();
    await runSql(stack.databaseUrl, "UPDATE users SET is_admin = false WHERE id = $1", [ann.user.id]);
    expect((await ann.get("/admin/settings")).status).toBe(403);
  });

  test("alone reach the paths below /admin, and nobody else learns which exist", async () => {
    const ann = await client.register();
    const bot = await createBotClient(ann);
    await runSql(stack.databaseUrl, "UPDATE users SET is_admin = true WHERE id = $1", [bot.user_id]);
    for (const [method, path] of [
      ["GET", "/admin/settings"],
      ["PATCH", "/admin/settings"],
      ["GET", "/admin/audit-log?limit=x"],
    ] as const) {
      expect((await client.send(method, path)).status).toBe(401);
      for (const caller of [ann, bot.client]) {
        const answer = await caller.send(method, path);
        expect([path, answer.status, answer.body]).toEqual([path, 403, error("Admin access required")]);
      }
    }
  });
});

describe("the settings of the instance", () => {
  test("the settings of the instance are read and changed, and the change is logged", async () => {
    const Settings = z.strictObject({
      id: z.literal(1),
      registration_mode: z.enum(["open", "invite_only", "closed"]),
      updated_at: z.iso.datetime(),
      updated_by: z.uuid().nullable(),
    });
    const changed = (await admin.patch("/admin/settings", { registration_mode: "closed" })).expect(200, Settings);
    expect(changed).toMatchObject({ registration_mode: "closed", updated_by: admin.user.id });
    expect((await admin.get("/admin/settings")).expect(200, Settings)).toEqual(changed);
    const [entry] = await readAdminLog(admin, "?limit=1");
    expect(entry).toMatchObject({
      admin_id: admin.user.id,
      action: "settings_update",
      target_type: "settings",
      target_id: null,
      details: { registration_mode: "closed" },
    });
    for (const body of [{}, { registration_mode: null }]) {
      expect((await admin.patch("/admin/settings", body)).expect(200, Settings)).toEqual(changed);
    }
    expect((await readAdminLog(admin, "?limit=1"))[0]?.id).toBe(entry?.id);
    const wrong = await admin.patch("/admin/settings", { registration_mode: "shut" });
    expect([wrong.status, wrong.body]).toEqual([400, error("registration_mode must be open, invite_only or closed")]);
  });

  test("show everybody whether registration is open", async () => {
    for (const registration_mode of ["open", "invite_only", "closed"]) {
      await setMode(registration_mode);
      expect((await client.get("/instance/registration-mode")).body).toEqual({ registration_mode });
    }
  });
});

describe("the instance-wide log", () => {
  test("the instance-wide log is read in pages, newest first", async () => {
    for (const mode of ["closed", "open", "closed"]) await setMode(mode);
    const newest = await readAdminLog(admin, "?limit=3");
    expect(newest.map(({ details }) => details.registration_mode)).toEqual(["closed", "open", "closed"]);
    expect(newest.map(({ created_at }) => created_at)).toEqual(
      newest
        .map(({ created_at }) => created_at)
        .toSorted()
        .toReversed(),
    );
    const older = await readAdminLog(admin, `?before=${newest[1]?.created_at}`);
    expect(older.find(({ id }) => id === newest[0]?.id || id === newest[1]?.id)).toBeUndefined();
    expect(older[0]?.id).toBe(newest[2]?.id);
    expect(await readAdminLog(admin, "?limit=0")).toHaveLength(1);
  });

  test.each([
    ["before=yesterday", "Invalid before"],
    ["limit=x", "limit must be an integer"],
  ])("the instance-wide log refuses the query %s", async (query, text) => {
    const answer = await admin.get(`/admin/audit-log?${query}`);
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });
});

describe("registration", () => {
  test("registration is refused while it is closed, at every api", async () => {
    await setMode("closed");
    for (const { url } of stack.apis) {
      const answer = await createClient(url).post("/auth/register", {
        username: `at_${names++}`,
        password: "12345678",
      });
      expect([answer.status, answer.body]).toEqual([403, error("Registration is currently closed")]);
    }
  });

  test("registration needs an invite while it is by invitation, and uses it up without a membership", async () => {
    const owner = await client.register();
    const server = await createServer(owner);
    const invite = (await owner.post(`/servers/${server.id}/invites`, { max_uses: 1 })).expect(
      201,
      z.object({ code: z.string() }),
    );
    await setMode("invite_only");
    for (const invite_code of [undefined, null, "", 5, "nosuch12", "x".repeat(1_000), "a\u0000bcdefg"]) {
      const answer = await register({ invite_code });
      expect([answer.status, answer.body]).toEqual([400, error("A valid invite code is required")]);
    }
    const both = await Promise.all([register({ invite_code: invite.code }), register({ invite_code: invite.code })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 400]);
    const joined = both.find(({ status }) => status === 201)?.expect(201, AuthResponse);
    const asNew = client.withAuthorization(`Bearer ${joined?.access_token}`);
    expect((await asNew.get("/servers")).body).toEqual([]);
    const [listed] = (await owner.get(`/servers/${server.id}/invites`)).expect(
      200,
      z.array(z.object({ uses: z.int() })),
    );
    expect(listed?.uses).toBe(1);
  });

  test("registration leaves the invite to the account that it registered, for one membership and no further use", async () => {
    const owner = await client.register();
    const server = await createServer(owner);
    const invite = (await owner.post(`/servers/${server.id}/invites`, { max_uses: 1 })).expect(201, Invite);
    await setMode("invite_only");
    const registered = (await register({ invite_code: invite.code })).expect(201, AuthResponse);
    const guest = client.withAuthorization(`Bearer ${registered.access_token}`);
    expect((await owner.get(`/invites/${invite.code}`)).status).toBe(404);
    (await guest.get(`/invites/${invite.code}`)).expect(200, InvitePreview);
    const accepted = await guest.post(`/invites/${invite.code}/accept`);
    expect([accepted.status, accepted.body]).toEqual([201, { message: "Joined server", server_id: server.id }]);
    const [listed] = (await owner.get(`/servers/${server.id}/invites`)).expect(200, z.array(Invite));
    expect(listed?.uses).toBe(1);
    expect((await guest.delete(`/servers/${server.id}/leave`)).status).toBe(204);
    const again = await guest.post(`/invites/${invite.code}/accept`);
    expect([again.status, again.body]).toEqual([400, error("This invite has reached its maximum uses")]);
  });

  test("a registration that fails leaves the invite unused", async () => {
    const owner = await client.register();
    const server = await createServer(owner);
    const { code } = (await owner.post(`/servers/${server.id}/invites`, { max_uses: 1 })).expect(
      201,
      z.object({ code: z.string() }),
    );
    await setMode("invite_only");
    expect((await register({ username: owner.username, invite_code: code })).status).toBe(409);
    expect((await register({ invite_code: code })).status).toBe(201);
  });

  test("registration ignores the code while it is open", async () => {
    expect((await register({ invite_code: 5 })).status).toBe(201);
  });
});
