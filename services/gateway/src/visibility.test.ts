import { createTestDatabase, startNats, startRedis } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  connectClient,
  createRows,
  type GatewayFixture,
  messageOf,
  publish,
  startGateway,
  type TestClient,
} from "./gateway-fixture.js";

let fixture: GatewayFixture;
let rows: ReturnType<typeof createRows>;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const database = await createTestDatabase();
  const nats = await startNats();
  const redis = await startRedis();
  fixture = await startGateway({ databaseUrl: database.url, natsUrl: nats.url, redisUrl: redis.url });
  rows = createRows(fixture.database);
  stops.push(fixture.stop, nats.stop, redis.stop, database.drop);
});

afterAll(async () => {
  for (const stop of stops) await stop();
});

const viewBit = 1;

/** A server with an owner and a member who holds a role, both connected. */
async function createScene() {
  const [ownerId, memberId] = [await rows.user(), await rows.user()];
  const server_id = await rows.server(ownerId, [memberId]);
  const channel_id = await rows.channel(server_id);
  const role_id = await rows.role(server_id);
  await rows.giveRole(server_id, memberId, role_id);
  const [owner, member] = [await connectClient(fixture, ownerId), await connectClient(fixture, memberId)];
  return { ownerId, memberId, server_id, channel_id, role_id, owner, member };
}
type Scene = Awaited<ReturnType<typeof createScene>>;

let number = 0;

/** Posts a message and returns its content once a client that sees everything has it. */
async function post(witness: TestClient, target: { server_id: string; channel_id: string }): Promise<string> {
  const content = `message ${++number}`;
  await publish(fixture.messaging, "MESSAGE_CREATE", target, messageOf(target.channel_id, content));
  await witness.receive("MESSAGE_CREATE", (d) => d.content === content);
  return content;
}

/** Contents of the messages that a client has received, once it has everything that was sent to it. */
async function received(client: TestClient): Promise<unknown[]> {
  await client.settled();
  return client.frames.flatMap((frame) => (frame.t === "MESSAGE_CREATE" ? [frame.d.content] : []));
}

async function hide({ server_id, channel_id, role_id }: Scene) {
  const override = await rows.override(channel_id, { role_id }, { deny: viewBit });
  await publish(fixture.messaging, "CHANNEL_OVERRIDE_UPDATE", { server_id }, override);
  return override;
}

const serverOf = ({ server_id }: Scene) => ({ server_id });

const memberRole = ({ server_id, memberId, role_id }: Scene) => ({
  server_id,
  user_id: memberId,
  role_id,
  role_name: "role",
  role_color: "#95a5a6",
});

describe("visibility", () => {
  it("keeps the events of a channel from those who may not view it", async () => {
    const scene = await createScene();
    const hidden = { ...scene, channel_id: await rows.channel(scene.server_id) };
    await rows.override(hidden.channel_id, { role_id: scene.role_id }, { deny: viewBit });
    await publish(fixture.messaging, "ROLE_UPDATE", serverOf(scene), await roleOf(scene));
    await post(scene.owner, hidden);
    const open = await post(scene.owner, scene);
    expect(await received(scene.member)).toEqual([open]);
  });

  it("ends with an override and begins again when it is gone; both events reach every member", async () => {
    const scene = await createScene();
    const before = await post(scene.owner, scene);
    const override = await hide(scene);
    await post(scene.owner, scene);
    await fixture.database.prisma.channelOverride.delete({ where: { id: override.id } });
    await publish(fixture.messaging, "CHANNEL_OVERRIDE_DELETE", serverOf(scene), {
      channel_id: scene.channel_id,
      override_id: override.id,
    });
    const after = await post(scene.owner, scene);
    expect(await received(scene.member)).toEqual([before, after]);
    expect(scene.member.events()).toEqual([
      "MESSAGE_CREATE",
      "CHANNEL_OVERRIDE_UPDATE",
      "CHANNEL_OVERRIDE_DELETE",
      "MESSAGE_CREATE",
    ]);
  });

  it("follows the roles of a member", async () => {
    const scene = await createScene();
    await hide(scene);
    await post(scene.owner, scene);
    const { server_id, memberId: user_id, role_id } = scene;
    await fixture.database.prisma.memberRole.delete({
      where: { server_id_user_id_role_id: { server_id, user_id, role_id } },
    });
    await publish(fixture.messaging, "MEMBER_ROLE_REMOVE", serverOf(scene), memberRole(scene));
    const without = await post(scene.owner, scene);
    await rows.giveRole(server_id, user_id, role_id);
    await publish(fixture.messaging, "MEMBER_ROLE_ADD", serverOf(scene), memberRole(scene));
    await post(scene.owner, scene);
    expect(await received(scene.member)).toEqual([without]);
  });

  it("follows the permissions of a role", async () => {
    const scene = await createScene();
    await hide(scene);
    await post(scene.owner, scene);
    await fixture.database.prisma.role.update({ where: { id: scene.role_id }, data: { permissions: 8192 } });
    await publish(fixture.messaging, "ROLE_UPDATE", serverOf(scene), await roleOf(scene));
    const asAdministrator = await post(scene.owner, scene);
    expect(await received(scene.member)).toEqual([asAdministrator]);
  });

  it("begins with joining a server that nobody here was in, with nothing lost in between", async () => {
    const [ownerId, memberId] = [await rows.user(), await rows.user()];
    const server_id = await rows.server(ownerId);
    const channel_id = await rows.channel(server_id);
    const member = await connectClient(fixture, memberId);
    await publish(fixture.messaging, "MESSAGE_CREATE", { server_id, channel_id }, messageOf(channel_id, "before"));
    await rows.member(server_id, memberId);
    const contents = Array.from({ length: 20 }, (_, index) => `after ${index}`);
    // All in one go: most of it is republished before the node can have subscribed.
    await Promise.all([
      publish(fixture.messaging, "SERVER_JOINED", { user_id: memberId }, { server_id, user_id: memberId }),
      ...contents.map((content) =>
        publish(fixture.messaging, "MESSAGE_CREATE", { server_id, channel_id }, messageOf(channel_id, content)),
      ),
    ]);
    await member.receive("MESSAGE_CREATE", (d) => d.content === contents.at(-1));
    expect(await received(member)).toEqual(contents);
  });

  it("begins with joining a server that others here are in", async () => {
    const scene = await createScene();
    const newcomerId = await rows.user();
    const newcomer = await connectClient(fixture, newcomerId);
    await post(scene.owner, scene);
    await rows.member(scene.server_id, newcomerId);
    const joined = { server_id: scene.server_id, user_id: newcomerId };
    await publish(fixture.messaging, "SERVER_JOINED", { user_id: newcomerId }, joined);
    const after = await post(scene.owner, scene);
    expect(await received(newcomer)).toEqual([after]);
  });

  it("delivers MEMBER_KICK to the kicked member, and nothing after it", async () => {
    const scene = await createScene();
    const { server_id, memberId: user_id } = scene;
    const second = await connectClient(fixture, user_id);
    await rows.endMember(server_id, user_id);
    // A change of roles makes the node look into the database before it hears of the kick.
    await publish(fixture.messaging, "MEMBER_ROLE_REMOVE", serverOf(scene), memberRole(scene));
    await post(scene.owner, scene);
    await publish(fixture.messaging, "MEMBER_KICK", { server_id }, { server_id, user_id, reason: null });
    await publish(fixture.messaging, "SERVER_LEFT", { user_id }, { server_id, user_id });
    await post(scene.owner, scene);
    await publish(fixture.messaging, "INVITE_DELETE", { server_id }, { server_id, invite_id: server_id });
    await scene.owner.receive("INVITE_DELETE");
    for (const client of [scene.member, second]) {
      await client.settled();
      expect(client.events()).toEqual(["MEMBER_ROLE_REMOVE", "MEMBER_KICK"]);
    }
  });

  it("believes the database when a leave is announced late and the user is back", async () => {
    const scene = await createScene();
    const { server_id, memberId: user_id } = scene;
    await publish(fixture.messaging, "SERVER_LEFT", { user_id }, { server_id, user_id });
    const content = await post(scene.owner, scene);
    expect(await received(scene.member)).toEqual([content]);
  });

  it("ends with the server", async () => {
    const scene = await createScene();
    const { server_id } = scene;
    const first = await post(scene.owner, scene);
    await fixture.database.prisma.server.delete({ where: { id: server_id } });
    const last = await post(scene.owner, scene);
    await publish(fixture.messaging, "SERVER_DELETED", { server_id }, { server_id });
    await publish(fixture.messaging, "MESSAGE_CREATE", scene, messageOf(scene.channel_id, "to nobody"));
    expect(await received(scene.member)).toEqual([first, last]);
    expect(await received(scene.owner)).toEqual([first, last]);
  });

  it("delivers the late events of a deleted channel to those who could view it only", async () => {
    const scene = await createScene();
    await hide(scene);
    await post(scene.owner, scene);
    await fixture.database.prisma.channel.delete({ where: { id: scene.channel_id } });
    await publish(fixture.messaging, "ROLE_UPDATE", serverOf(scene), await roleOf(scene));
    const late = await post(scene.owner, scene);
    expect(await received(scene.owner)).toContain(late);
    expect(await received(scene.member)).toEqual([]);
  });

  it("delivers a new channel's events at once, and those of an unknown one to nobody", async () => {
    const scene = await createScene();
    await post(scene.owner, scene);
    const channel_id = await rows.channel(scene.server_id);
    const inNew = await post(scene.owner, { ...scene, channel_id });
    const unknown = scene.ownerId;
    await publish(fixture.messaging, "MESSAGE_CREATE", { ...scene, channel_id: unknown }, messageOf(unknown, "nobody"));
    const last = await post(scene.owner, scene);
    expect((await received(scene.member)).slice(1)).toEqual([inNew, last]);
  });

  it("leaves out those who may view the channel named in the event", async () => {
    const scene = await createScene();
    const to = await rows.channel(scene.server_id);
    await rows.override(to, { role_id: scene.role_id }, { deny: viewBit });
    const state = {
      user_id: scene.ownerId,
      channel_id: null,
      self_mute: false,
      self_deaf: false,
      self_video: false,
      self_screen: false,
      server_mute: false,
      server_deaf: false,
      joined_at: null,
      username: "owner",
    };
    await publish(fixture.messaging, "VOICE_STATE_UPDATE", scene, state, { except_viewers_of: to });
    await scene.member.receive("VOICE_STATE_UPDATE");
    await scene.owner.settled();
    expect(scene.owner.events()).toEqual([]);
  });

  it("holds for those who connect after the change", async () => {
    const scene = await createScene();
    await hide(scene);
    const again = await connectClient(fixture, scene.memberId);
    const elsewhere = await connectClient(fixture, await joinedUser(scene));
    await post(scene.owner, scene);
    expect(await received(again)).toEqual([]);
    expect(await received(elsewhere)).toHaveLength(1);
  });

  it("never lets a message through that was posted after the answer of the change, on two nodes under load", async () => {
    const other = await startGateway({
      databaseUrl: fixture.databaseUrl,
      natsUrl: fixture.natsUrl,
      redisUrl: fixture.redisUrl,
    });
    const scene = await createScene();
    const { server_id, channel_id } = scene;
    const abroad = await connectClient(other, scene.memberId);
    const witnesses = [scene.owner, await connectClient(other, scene.ownerId)];
    const busy = setInterval(() => {
      void publish(fixture.messaging, "INVITE_DELETE", { server_id }, { server_id, invite_id: server_id });
    }, 1);
    const visible: string[] = [];
    for (let round = 0; round < 25; round++) {
      const override = await hide(scene);
      for (let count = 0; count < 5; count++) {
        await publish(fixture.messaging, "MESSAGE_CREATE", scene, messageOf(channel_id, `hidden ${round} ${count}`));
      }
      // A right that is gained while an event is on its way counts for it, so the nodes have to be done with these.
      for (const witness of witnesses) {
        await witness.receive("MESSAGE_CREATE", (d) => d.content === `hidden ${round} 4`);
      }
      await fixture.database.prisma.channelOverride.delete({ where: { id: override.id } });
      const deleted = { channel_id, override_id: override.id };
      await publish(fixture.messaging, "CHANNEL_OVERRIDE_DELETE", serverOf(scene), deleted);
      for (let count = 0; count < 5; count++) {
        visible.push(`visible ${round} ${count}`);
        await publish(fixture.messaging, "MESSAGE_CREATE", scene, messageOf(channel_id, visible.at(-1) ?? ""));
      }
      // The next round takes the right away again, and then nobody promises what was not delivered before.
      for (const client of [scene.member, abroad]) {
        await client.receive("MESSAGE_CREATE", (d) => d.content === visible.at(-1));
      }
    }
    clearInterval(busy);
    for (const client of [scene.member, abroad]) expect(await received(client)).toEqual(visible);
    await other.stop();
  });
});

async function roleOf({ role_id }: Scene) {
  const role = await fixture.database.prisma.role.findUniqueOrThrow({ where: { id: role_id } });
  return { ...role, created_at: role.created_at.toISOString() };
}

async function joinedUser({ server_id }: Scene): Promise<string> {
  const userId = await rows.user();
  await rows.member(server_id, userId);
  return userId;
}
