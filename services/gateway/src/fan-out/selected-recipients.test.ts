import { randomUUID } from "node:crypto";
import { dispatchFrame, rightBits, routingHeaders, subjects } from "@parley/contracts";
import { publishStored } from "@parley/messaging";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectNumbered, continueAt } from "../continuing/continuing-fixture.js";
import { publish } from "../gateway-fixture.js";
import { allChanges, changes, memberOf, startStage } from "./changes-fixture.js";

let stage: Awaited<ReturnType<typeof startStage>>;

beforeAll(async () => {
  stage = await startStage();
});

afterAll(() => stage?.stop());

const administratorBit = 8192;
const viewBit = 1;

describe("changes of members", () => {
  test("changes of members reach connections with members=all, and a member's own that only they are about", async () => {
    const scene = await stage.createScene();
    const { userId, place, owner } = scene;
    const otherId = await stage.rows.user();
    for (const id of [userId, otherId]) await stage.rows.member(place.server_id, id);
    const own = await connectNumbered(stage.nodes[1], userId, changes);
    const plain = await connectNumbered(stage.nodes[1], userId);
    const other = await connectNumbered(stage.nodes[1], otherId, changes);
    const update = { server_id: place.server_id, member: memberOf(userId) };
    await publish(stage.nodes[0].messaging, "MEMBER_UPDATE", { server_id: place.server_id }, update);
    await stage.publishJoin(place.server_id, randomUUID());
    await owner.receive("MEMBER_JOIN");
    expect(await stage.eventsOf(owner, scene)).toEqual(["MEMBER_UPDATE", "MEMBER_JOIN", "MESSAGE_CREATE"]);
    expect((await stage.eventsOf(own, scene))[0]).toBe("MEMBER_UPDATE");
    for (const client of [own, plain, other]) {
      const others = (await stage.eventsOf(client, scene)).filter((name) => name !== "MESSAGE_CREATE");
      expect(others).toEqual(client === own ? ["MEMBER_UPDATE"] : []);
      // It missed the same events.
      const query = client === plain ? "" : changes;
      const id = client === other ? otherId : userId;
      const ready = client.frames.find(({ t }) => t === "READY");
      const { client: again } = await continueAt(stage.nodes[0], id, ready?.s ?? "", query);
      expect(again.events().filter((name) => name !== "MESSAGE_CREATE")).toEqual([...others, "RESUMED"]);
    }
  });
});

describe("interest in a scheduled event", () => {
  test("reaches connections with members=all that name the event, and whose user may view the channel", async () => {
    const scene = await stage.createScene();
    const { ownerId, userId, place, owner } = scene;
    const naming = `${allChanges}&events=EVENT_INTEREST_ADD,MEMBER_JOIN`;
    const otherId = await stage.rows.user();
    for (const id of [userId, otherId]) await stage.rows.member(place.server_id, id);
    await stage.rows.override(place.channel_id, { user_id: userId }, { deny: viewBit });
    const follower = await connectNumbered(stage.nodes[1], ownerId, naming);
    const hidden = await connectNumbered(stage.nodes[1], userId, naming);
    const plain = await connectNumbered(stage.nodes[1], otherId, changes);
    const interest = { event_id: randomUUID(), channel_id: place.channel_id, user_id: otherId };
    await publish(stage.nodes[0].messaging, "EVENT_INTEREST_ADD", place, interest);
    expect((await follower.receive("EVENT_INTEREST_ADD")).d).toEqual(interest);
    await stage.publishJoin(place.server_id, randomUUID());
    await hidden.receive("MEMBER_JOIN");
    expect(hidden.events()).not.toContain("EVENT_INTEREST_ADD");
    expect(await stage.eventsOf(plain, scene)).toEqual(["MESSAGE_CREATE"]);
    expect(owner.events()).toEqual(["MEMBER_JOIN", "MESSAGE_CREATE"]);
    const ready = hidden.frames.find(({ t }) => t === "READY");
    const { client: again } = await continueAt(stage.nodes[0], userId, ready?.s ?? "", naming);
    expect(again.events()).toEqual(["MEMBER_JOIN", "RESUMED"]);
  });
});

describe("an event for those who may read a setting", () => {
  test.each(["owner", "administrators"] as const)(
    "an event for the %s of a server reaches nobody else",
    async (readers) => {
      const scene = await stage.createScene();
      const { userId, place, owner } = scene;
      const adminId = await stage.rows.user();
      for (const id of [userId, adminId]) await stage.rows.member(place.server_id, id);
      await stage.rows.giveRole(place.server_id, adminId, await stage.rows.role(place.server_id, administratorBit));
      const member = await connectNumbered(stage.nodes[1], userId, changes);
      // The only one on this node who needs the roles to be read.
      const admin = await connectNumbered(stage.nodes[1], adminId, changes);
      const payload = { server_id: place.server_id, part: "webhooks" } as const;
      const { messaging } = stage.nodes[0];
      await publish(messaging, "SERVER_SETTINGS_UPDATE", { server_id: place.server_id }, payload, { readers });
      await owner.receive("SERVER_SETTINGS_UPDATE");
      const isTold = readers === "administrators";
      expect((await stage.eventsOf(admin, scene)).includes("SERVER_SETTINGS_UPDATE")).toBe(isTold);
      expect(await stage.eventsOf(member, scene)).not.toContain("SERVER_SETTINGS_UPDATE");
      const ready = admin.frames.find(({ t }) => t === "READY");
      const { client: again } = await continueAt(stage.nodes[0], adminId, ready?.s ?? "", changes);
      expect(again.events().includes("SERVER_SETTINGS_UPDATE")).toBe(isTold);
    },
  );
});

describe("an event for the holders of a right", () => {
  test("it reaches holders on every node as of the change before it, and never the user whom it leaves out", async () => {
    const scene = await stage.createScene();
    const { server_id } = scene.place;
    const [holderId, leftOutId] = [await stage.rows.user(), await stage.rows.user()];
    const holding = await stage.rows.role(server_id, 0, rightBits.review_reports);
    for (const id of [scene.userId, holderId, leftOutId]) await stage.rows.member(server_id, id);
    for (const id of [holderId, leftOutId]) await stage.rows.giveRole(server_id, id, holding);
    const [member, holder, leftOut] = [
      await connectNumbered(stage.nodes[1], scene.userId, changes),
      await connectNumbered(stage.nodes[1], holderId, changes),
      await connectNumbered(stage.nodes[1], leftOutId, changes),
    ];
    const { messaging, database } = stage.nodes[0];
    const send = async () => {
      const payload = { server_id, part: "moderation" } as const;
      const routing = { readers: "review_reports", except_user: leftOutId } as const;
      await publish(messaging, "SERVER_SETTINGS_UPDATE", { server_id }, payload, routing);
      await scene.owner.receive("SERVER_SETTINGS_UPDATE");
      const clients = [member, holder, leftOut];
      return Promise.all(
        clients.map(async (client) =>
          (await stage.eventsOf(client, scene)).filter((name) => name.startsWith("SERVER_")),
        ),
      );
    };
    expect(await send()).toEqual([[], ["SERVER_SETTINGS_UPDATE"], []]);
    // Everybody holds it from now on.
    await database.prisma.server.update({
      where: { id: server_id },
      data: { everyone_rights: rightBits.review_reports },
    });
    const role = { id: server_id, server_id, name: "everyone", permissions: 0, color: "#95a5a6", position: 0 };
    const created_at = new Date().toISOString();
    await publish(messaging, "ROLE_UPDATE", { server_id }, { ...role, created_at }, { version: 2 });
    const second = await send();
    expect(second).toEqual([["SERVER_SETTINGS_UPDATE"], ["SERVER_SETTINGS_UPDATE", "SERVER_SETTINGS_UPDATE"], []]);
    for (const [n, id] of [scene.userId, holderId, leftOutId].entries()) {
      const ready = [member, holder, leftOut][n]?.frames.find(({ t }) => t === "READY");
      const { client: again } = await continueAt(stage.nodes[0], id, ready?.s ?? "", changes);
      // Missed events are shown by the rights of now.
      const missed = again.events().filter((name) => name.startsWith("SERVER_"));
      expect(missed).toHaveLength(id === leftOutId ? 0 : 2);
    }
  });
});

describe("the deletion of a channel", () => {
  test("the deletion of a channel reaches those who could view it, live and missed, on a node that has read nothing of it", async () => {
    const scene = await stage.createScene();
    const { userId, place, owner } = scene;
    const { server_id } = place;
    const viewerId = await stage.rows.user();
    for (const id of [userId, viewerId]) await stage.rows.member(server_id, id);
    const role_id = await stage.rows.role(server_id);
    await stage.rows.giveRole(server_id, userId, role_id);
    const id = await stage.rows.channel(server_id);
    const [hidden, viewer] = [
      await connectNumbered(stage.nodes[1], userId, changes),
      await connectNumbered(stage.nodes[1], viewerId, changes),
    ];
    await stage.nodes[0].database.prisma.channel.delete({ where: { id } });
    const routing = { view_rule: `r${role_id}` };
    const address = { server_id, channel_id: id };
    await publish(stage.nodes[0].messaging, "CHANNEL_DELETE", address, { id, server_id }, routing);
    for (const { receive } of [owner, viewer]) expect((await receive("CHANNEL_DELETE")).d).toEqual({ id, server_id });
    expect(await stage.eventsOf(hidden, scene)).not.toContain("CHANNEL_DELETE");
    for (const [client, memberId] of [
      [hidden, userId],
      [viewer, viewerId],
    ] as const) {
      const ready = client.frames.find(({ t }) => t === "READY");
      const { client: again } = await continueAt(stage.nodes[0], memberId, ready?.s ?? "", changes);
      expect(again.events().includes("CHANNEL_DELETE")).toBe(client === viewer);
    }
  });
});

describe("an event of a newer version", () => {
  test("an event of a newer version reaches connections with v=2 only, and nobody when its recipients are not known", async () => {
    const scene = await stage.createScene();
    const { server_id } = scene.place;
    await stage.rows.member(server_id, scene.userId);
    const plain = await connectNumbered(stage.nodes[1], scene.userId);
    const client = await connectNumbered(stage.nodes[1], scene.userId, changes);
    const { messaging } = stage.nodes[0];
    const store = (name: string, body: string, limits?: string) =>
      publishStored(
        messaging,
        {
          id: randomUUID(),
          subject: subjects.stored({ kind: "server", serverId: server_id, channelId: null }, "newer", name),
          body,
          headers: limits === undefined ? {} : { [routingHeaders.limits]: limits },
        },
        5_000,
      );
    const frameOf = (name: string) => dispatchFrame(name, "{}");
    await store("NEWER_SECRET", frameOf("NEWER_SECRET"), "holders=raids");
    await store("NEWER_CONTROL", "{}");
    await store("NEWER_EVENT", frameOf("NEWER_EVENT"));
    await client.receive("NEWER_EVENT");
    for (const one of [plain, client]) {
      const ready = one.frames.find(({ t }) => t === "READY");
      const events = (await stage.eventsOf(one, scene)).filter((name) => name !== "MESSAGE_CREATE");
      expect(events).toEqual(one === client ? ["NEWER_EVENT"] : []);
      const query = one === client ? changes : "";
      const { client: again } = await continueAt(stage.nodes[0], scene.userId, ready?.s ?? "", query);
      expect(again.events().filter((name) => name !== "MESSAGE_CREATE")).toEqual([...events, "RESUMED"]);
    }
  });
});
