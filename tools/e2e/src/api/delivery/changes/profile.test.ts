import { Member, User } from "@parley/contracts";
import { createServer, joinServer, type UserClient, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { registerAdmin } from "../../stages/admin-stage.js";
import { createBot } from "../../stages/connection-stage.js";
import { connectTo } from "../../stages/lock-stage.js";
import { type ChangeStage, everyMember, heardBy, nothing, startChangeStage } from "./change-stage.js";

let stage: ChangeStage;

beforeAll(async () => {
  stage = await startChangeStage("v=2&members=all");
});
afterAll(() => stage?.connections.closeAll());

const memberOf = async (serverId: string, { user }: Pick<UserClient, "user">) => {
  const members = (await stage.owner.get(`/servers/${serverId}/members`)).expect(200, z.array(Member));
  return members.find(({ user_id }) => user_id === user.id);
};

describe("a change of one's own profile", () => {
  test("a change of one's own profile reaches every connection of the user with v=2 and nobody else, status included", async () => {
    const { viewer, heard } = stage;
    for (const changes of [
      { bio: "Likes endgames", pronouns: null },
      { status: "dnd", activity: "Chess" },
    ]) {
      const user = (await viewer.patch("/users/@me", changes)).expect(200, User);
      expect(user).toMatchObject(changes);
      const { v1, v2 } = await heard({ viewer: "USER_UPDATE" });
      expect(v1).toEqual(nothing);
      expect(v2).toEqual(heardBy(["viewer"], ["USER_UPDATE", user]));
    }
    expect((await viewer.patch("/users/@me", {})).status).toBe(200);
    expect((await viewer.patch("/users/@me", { avatar_url: "ftp://x" })).status).toBe(400);
    expect((await heard()).v2).toEqual(nothing);
  });

  test("becoming an administrator reaches every connection of the user with v=2 and nobody else", async () => {
    const { viewer, client, stack, heard } = stage;
    const admin = await registerAdmin(client, stack.databaseUrl);
    await heard();
    for (const is_admin of [true, false]) {
      expect((await admin.patch(`/admin/users/${viewer.user.id}`, { is_admin })).status).toBe(200);
      const { v1, v2 } = await heard({ viewer: "USER_UPDATE" });
      expect(v1).toEqual(nothing);
      const user = (await viewer.get("/users/@me")).expect(200, User);
      expect(user.is_admin).toBe(is_admin);
      expect(v2).toEqual(heardBy(["viewer"], ["USER_UPDATE", user]));
    }
  });

  test("the last event of changes at once has the stored state", async () => {
    const { viewer, connections } = stage;
    const socket = await connections.open(viewer.accessToken, 1, "v=2");
    const bios = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `version ${n}`);
    await Promise.all(bios.map((bio) => viewer.patch("/users/@me", { bio })));
    const stored = (await viewer.get("/users/@me")).expect(200, User);
    const updates = () => socket.events.filter(({ name }) => name === "USER_UPDATE");
    await waitUntil(() => updates().length === bios.length);
    expect(updates().at(-1)?.payload).toEqual(stored);
    await stage.heard();
  });

  test("another picture reaches the watchers of members in every server of the user, and the user; the same one nobody", async () => {
    const { owner, viewer, serverId, connections, heard } = stage;
    const { id: second } = await createServer(owner, { is_public: true });
    // A gateway that reads the members of the server later than another sends them what happened before they joined, too.
    await heard({ owner: "MEMBER_JOIN" });
    for (const person of ["viewer", "stranger"] as const) {
      await joinServer(stage[person], second);
      await heard({ [person]: "SERVER_JOIN" });
    }
    const own = await connections.open(viewer.accessToken, 1, "v=2");
    const unwatching = await connections.open(owner.accessToken, 1, "v=2");

    const picture = { avatar_url: "https://example.com/new.png" };
    const user = (await viewer.patch("/users/@me", picture)).expect(200, User);
    for (const server_id of [serverId, second]) {
      const member = await memberOf(server_id, viewer);
      expect(member).toMatchObject(picture);
      expect(await own.waitFor("MEMBER_UPDATE", (update) => update.server_id === server_id)).toEqual({
        server_id,
        member,
      });
    }
    const here = ["MEMBER_UPDATE", { server_id: serverId, member: await memberOf(serverId, viewer) }] as const;
    const { v1, v2 } = await heard({ viewer: "USER_UPDATE", stranger: "MEMBER_UPDATE" });
    expect(v1).toEqual(nothing);
    const inFirst = (list: readonly (readonly [string, unknown])[]) =>
      list.filter(([name, payload]) => name === "MEMBER_UPDATE" && Object(payload).server_id === serverId);
    for (const person of everyMember) expect(inFirst(v2[person])).toEqual([here]);
    expect(inFirst(v2.stranger)).toEqual([]);
    expect(v2.viewer).toContainEqual(["USER_UPDATE", user]);
    expect(unwatching.events.map(({ name }) => name)).not.toContain("MEMBER_UPDATE");

    expect((await viewer.patch("/users/@me", picture)).status).toBe(200);
    expect((await heard({ viewer: "USER_UPDATE" })).v2).toMatchObject(heardBy(["viewer"], ["USER_UPDATE", user]));
  });

  test("another picture of a bot is announced as well", async () => {
    const { owner, client, serverId, heard } = stage;
    const bot = await createBot(owner);
    const caller = client.withAuthorization(`Bot ${bot.token}`);
    await joinServer(caller, serverId);
    await heard();
    const picture = { avatar_url: "https://example.com/bot.png" };
    expect((await caller.patch("/users/@me", picture)).status).toBe(200);
    const { v2 } = await heard({ owner: "MEMBER_UPDATE" });
    const member = { user_id: bot.userId, ...picture };
    expect(v2).toMatchObject(heardBy(everyMember, ["MEMBER_UPDATE", { server_id: serverId, member }]));
  });

  test("another process makes the announcements of one that died, and none of users without a membership", async () => {
    const { viewer, stranger, serverId, stack, heard } = stage;
    const database = await connectTo(stack);
    const left =
      "INSERT INTO member_announcements (user_id, server_id, due_at) VALUES ($1, $3, now()), ($2, $3, now())";
    await database.query(left, [viewer.user.id, stranger.user.id, serverId]);
    await waitUntil(async () => {
      const waiting = await database.query("SELECT FROM member_announcements WHERE server_id = $1", [serverId]);
      return waiting.rowCount === 0;
    });
    await database.end();
    const member = await memberOf(serverId, viewer);
    expect((await heard()).v2).toEqual(heardBy(everyMember, ["MEMBER_UPDATE", { server_id: serverId, member }]));
  });
});
