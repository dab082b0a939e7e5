import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectNumbered, continueAt, lastCursor } from "../continuing/continuing-fixture.js";
import { publish } from "../gateway-fixture.js";
import { crc32 } from "../query/shard.js";
import { allChanges, changes, startStage } from "./changes-fixture.js";

let stage: Awaited<ReturnType<typeof startStage>>;

beforeAll(async () => {
  stage = await startStage();
});

afterAll(() => stage?.stop());

const viewBit = 1;

describe("a connection with v=2", () => {
  test("a connection with v=2 gets SERVER_JOIN with what READY would have, before anything else of the server", async () => {
    const scene = await stage.createScene();
    const { userId, place } = scene;
    const role_id = await stage.rows.role(place.server_id);
    const hidden = await stage.rows.channel(place.server_id);
    await stage.rows.override(hidden, { user_id: userId }, { deny: viewBit });
    await stage.rows.override(place.channel_id, { role_id }, { deny: viewBit });
    const plain = await connectNumbered(stage.nodes[1], userId);
    const client = await connectNumbered(stage.nodes[1], userId, changes);
    const watcher = await connectNumbered(stage.nodes[1], userId, allChanges);
    await stage.join(scene);
    await stage.post(place, "welcome");
    for (const { receive } of [plain, client, watcher]) await receive("MESSAGE_CREATE");
    expect(plain.events()).toEqual(["MESSAGE_CREATE"]);
    expect(client.events()).toEqual(["SERVER_JOIN", "MESSAGE_CREATE"]);
    expect(watcher.events()).toEqual(["SERVER_JOIN", "MEMBER_JOIN", "MESSAGE_CREATE"]);

    const fresh = await connectNumbered(stage.nodes[0], userId, changes);
    const { d: ready } = await fresh.receive("READY");
    const { d: joined } = await client.receive("SERVER_JOIN");
    expect(ready).toMatchObject({
      servers: [joined.server],
      server_roles: { [place.server_id]: joined.roles },
      channel_overrides: joined.channel_overrides,
    });
    expect(Object.keys(Object(joined.channel_overrides))).toEqual([place.channel_id]);
    expect(joined.member).toMatchObject({ user_id: userId, roles: [], nickname: null });
  });

  test("a connection with v=2 gets SERVER_LEAVE behind everything else of the server", async () => {
    const scene = await stage.createScene();
    await stage.rows.member(scene.place.server_id, scene.userId);
    const plain = await connectNumbered(stage.nodes[1], scene.userId);
    const client = await connectNumbered(stage.nodes[1], scene.userId, changes);
    const watcher = await connectNumbered(stage.nodes[1], scene.userId, allChanges);
    await stage.post(scene.place, "before");
    await stage.kick(scene);
    await stage.post(scene.place, "after");
    const { d } = await client.receive("SERVER_LEAVE");
    expect(d).toEqual({ server_id: scene.place.server_id, reason: "kicked" });
    await watcher.receive("SERVER_LEAVE");
    expect(await stage.eventsOf(plain, scene)).toEqual(["MESSAGE_CREATE", "MEMBER_KICK"]);
    expect(await stage.eventsOf(client, scene)).toEqual(["MESSAGE_CREATE", "MEMBER_KICK", "SERVER_LEAVE"]);
    expect(await stage.eventsOf(watcher, scene)).toEqual([
      "MESSAGE_CREATE",
      "MEMBER_KICK",
      "MEMBER_LEAVE",
      "SERVER_LEAVE",
    ]);
  });

  test("a connection with v=2 gets nothing of a server between leaving and joining again, however late both are announced", async () => {
    const scene = await stage.createScene();
    const { userId, place } = scene;
    await stage.rows.member(place.server_id, userId);
    const client = await connectNumbered(stage.nodes[1], userId, changes);
    // The membership that the node finds after the leave is the one that follows.
    await stage.publishKick(place.server_id, userId);
    await stage.post(place, "between");
    await stage.publishJoin(place.server_id, userId);
    await stage.post(place, "after");
    await client.receive("MESSAGE_CREATE", (d) => d.content === "after");
    const events = client.events();
    expect(events.slice(0, 3)).toEqual(["MEMBER_KICK", "SERVER_LEAVE", "SERVER_JOIN"]);
    expect(events.filter((name) => name === "SERVER_LEAVE")).toHaveLength(1);
  });

  test("a connection with v=2 gets SERVER_LEAVE and nothing else when a server is deleted", async () => {
    const scene = await stage.createScene();
    await stage.rows.member(scene.place.server_id, scene.userId);
    const plain = await connectNumbered(stage.nodes[1], scene.userId);
    const client = await connectNumbered(stage.nodes[1], scene.userId, allChanges);
    const { server_id } = scene.place;
    await stage.nodes[0].database.prisma.server.delete({ where: { id: server_id } });
    await publish(stage.nodes[0].messaging, "SERVER_DELETED", { server_id }, { server_id });
    for (const { receive } of [client, scene.owner]) {
      expect((await receive("SERVER_LEAVE")).d).toEqual({ server_id, reason: "deleted" });
    }
    await stage.sendDm(scene.userId, "still here");
    for (const { receive } of [plain, client]) await receive("DM_MESSAGE_CREATE");
    expect(plain.events()).toEqual(["DM_MESSAGE_CREATE"]);
    expect(client.events()).toEqual(["SERVER_LEAVE", "DM_MESSAGE_CREATE"]);
  });

  test("a connection with v=2 continues from its SERVER_JOIN and its SERVER_LEAVE, and not from before them", async () => {
    const scene = await stage.createScene();
    const { userId } = scene;
    const client = await connectNumbered(stage.nodes[1], userId, changes);
    const before = lastCursor(client);
    await stage.join(scene);
    const joined = (await client.receive("SERVER_JOIN")).s ?? "";
    await stage.post(scene.place, "missed");
    const continuing = await continueAt(stage.nodes[0], userId, joined, changes);
    expect(continuing.answer.t).toBe("RESUMED");
    expect(continuing.client.events()).toEqual(["MESSAGE_CREATE", "RESUMED"]);
    const behind = await continueAt(stage.nodes[0], userId, before, changes);
    expect(behind.answer).toMatchObject({ t: "READY", d: { resync: "membership" } });
    await stage.kick(scene);
    const left = (await client.receive("SERVER_LEAVE")).s ?? "";
    expect((await continueAt(stage.nodes[0], userId, left, changes)).answer.t).toBe("RESUMED");
    expect((await continueAt(stage.nodes[0], userId, joined, changes)).answer.t).toBe("READY");
  });

  test("a connection with v=2 that is cut before its SERVER_JOIN does not continue without it", async () => {
    const scene = await stage.createScene();
    const { userId } = scene;
    const elsewhere = await stage.place(scene.ownerId, [userId]);
    const client = await connectNumbered(stage.nodes[1], userId, changes);
    await stage.post(elsewhere, "before");
    await client.receive("MESSAGE_CREATE");
    await stage.nodes[0].database.prisma.$transaction(async (transaction) => {
      // Now no node can read the rights of the server's members.
      await transaction.$executeRaw`LOCK TABLE roles IN ACCESS EXCLUSIVE MODE`;
      await stage.join(scene);
      await stage.post(elsewhere, "meanwhile");
      await client.receive("MESSAGE_CREATE", (d) => d.content === "meanwhile");
    });
    const meanwhile = client.frames.find(({ d }) => d?.content === "meanwhile")?.s ?? "";
    await client.receive("SERVER_JOIN");
    const { answer } = await continueAt(stage.nodes[0], userId, meanwhile, changes);
    expect(answer).toMatchObject({ t: "READY", d: { resync: "membership" } });
  });

  test("a connection with v=2 gets SERVER_JOIN and SERVER_LEAVE of the servers of its shard only", async () => {
    const scene = await stage.createScene();
    const shard = crc32(scene.place.server_id) % 2;
    const own = await connectNumbered(stage.nodes[1], scene.userId, `${changes}&shard=${shard}/2`);
    const other = await connectNumbered(stage.nodes[1], scene.userId, `${changes}&shard=${1 - shard}/2`);
    await stage.join(scene);
    await own.receive("SERVER_JOIN");
    await stage.kick(scene);
    await own.receive("SERVER_LEAVE");
    expect(await stage.eventsOf(other, scene)).toEqual([]);
  });

  test("a connection cannot continue with another v or other members than before", async () => {
    const { userId } = await stage.createScene();
    const { nodes } = stage;
    const cursors = new Map<string, string>();
    for (const query of ["", changes, allChanges])
      cursors.set(query, lastCursor(await connectNumbered(nodes[0], userId, query)));
    for (const [query, s] of cursors) {
      for (const next of cursors.keys()) {
        const { answer } = await continueAt(nodes[1], userId, s, next);
        expect([query, next, answer.t, answer.d.resync]).toEqual(
          query === next ? [query, next, "RESUMED", undefined] : [query, next, "READY", "filter"],
        );
      }
    }
  });
});
