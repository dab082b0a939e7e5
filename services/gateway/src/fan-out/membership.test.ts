import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectClient, messageOf, publish } from "../gateway-fixture.js";
import { memberRole, received, type Stage, serverOf, startStage, viewBit } from "./visibility-fixture.js";

let stage: Stage;

beforeAll(async () => {
  stage = await startStage();
});

afterAll(() => stage?.stop());

describe("membership", () => {
  test("membership begins with joining a server that nobody here was in, with nothing lost in between", async () => {
    const [ownerId, memberId] = [await stage.rows.user(), await stage.rows.user()];
    const server_id = await stage.rows.server(ownerId);
    const channel_id = await stage.rows.channel(server_id);
    const member = await connectClient(stage, memberId);
    await publish(stage.messaging, "MESSAGE_CREATE", { server_id, channel_id }, messageOf(channel_id, "before"));
    await stage.rows.member(server_id, memberId);
    const contents = Array.from({ length: 20 }, (_, index) => `after ${index}`);
    // All in one go: most of it is republished before the node can have subscribed.
    await Promise.all([
      publish(stage.messaging, "SERVER_JOINED", { user_id: memberId }, { server_id, user_id: memberId }),
      ...contents.map((content) =>
        publish(stage.messaging, "MESSAGE_CREATE", { server_id, channel_id }, messageOf(channel_id, content)),
      ),
    ]);
    await member.receive("MESSAGE_CREATE", (d) => d.content === contents.at(-1));
    expect(await received(member)).toEqual(contents);
  });

  test("membership begins with joining a server that others here are in", async () => {
    const scene = await stage.createScene();
    const newcomerId = await stage.rows.user();
    const newcomer = await connectClient(stage, newcomerId);
    await stage.post(scene.owner, scene);
    await stage.rows.member(scene.server_id, newcomerId);
    const joined = { server_id: scene.server_id, user_id: newcomerId };
    await publish(stage.messaging, "SERVER_JOINED", { user_id: newcomerId }, joined);
    const after = await stage.post(scene.owner, scene);
    expect(await received(newcomer)).toEqual([after]);
  });

  test("membership delivers MEMBER_KICK to the kicked member, and nothing after it", async () => {
    const scene = await stage.createScene();
    const { server_id, memberId: user_id } = scene;
    const second = await connectClient(stage, user_id);
    await stage.rows.endMember(server_id, user_id);
    // A change of roles makes the node look into the database before it hears of the kick.
    await publish(stage.messaging, "MEMBER_ROLE_REMOVE", serverOf(scene), memberRole(scene));
    await stage.post(scene.owner, scene);
    await publish(stage.messaging, "MEMBER_KICK", { server_id }, { server_id, user_id, reason: null });
    await publish(stage.messaging, "SERVER_LEFT", { user_id }, { server_id, user_id });
    await stage.post(scene.owner, scene);
    await publish(stage.messaging, "INVITE_DELETE", { server_id }, { server_id, invite_id: server_id });
    await scene.owner.receive("INVITE_DELETE");
    for (const client of [scene.member, second]) {
      await client.settled();
      expect(client.events()).toEqual(["MEMBER_ROLE_REMOVE", "MESSAGE_CREATE", "MEMBER_KICK"]);
    }
  });

  test("membership has what precedes the leave in channels open to every member, also when the rights are first read after it", async () => {
    const [ownerId, memberId] = [await stage.rows.user(), await stage.rows.user()];
    const server_id = await stage.rows.server(ownerId, [memberId]);
    const channel_id = await stage.rows.channel(server_id);
    const hidden = { server_id, channel_id: await stage.rows.channel(server_id) };
    await stage.rows.override(hidden.channel_id, { user_id: memberId }, { deny: viewBit });
    // The first connection of the server here: the node reads its membership before the server's subscription, and then
    // again.
    const member = await connectClient(stage, memberId);
    const owner = await connectClient(stage, ownerId);
    await stage.rows.endMember(server_id, memberId);
    const before = await stage.post(owner, { server_id, channel_id });
    await stage.post(owner, hidden);
    const kicked = { server_id, user_id: memberId };
    await publish(stage.messaging, "MEMBER_KICK", { server_id }, { ...kicked, reason: null });
    await publish(stage.messaging, "SERVER_LEFT", { user_id: memberId }, kicked);
    await stage.post(owner, { server_id, channel_id });
    expect(await received(member)).toEqual([before]);
    expect(member.events()).toEqual(["MESSAGE_CREATE", "MEMBER_KICK"]);
  });

  test("membership believes the database when a leave is announced late and the user is back", async () => {
    const scene = await stage.createScene();
    const { server_id, memberId: user_id } = scene;
    await publish(stage.messaging, "SERVER_LEFT", { user_id }, { server_id, user_id });
    const content = await stage.post(scene.owner, scene);
    expect(await received(scene.member)).toEqual([content]);
  });

  test("membership ends with the server", async () => {
    const scene = await stage.createScene();
    const { server_id } = scene;
    const first = await stage.post(scene.owner, scene);
    await stage.database.prisma.server.delete({ where: { id: server_id } });
    const last = await stage.post(scene.owner, scene);
    await publish(stage.messaging, "SERVER_DELETED", { server_id }, { server_id });
    await publish(stage.messaging, "MESSAGE_CREATE", scene, messageOf(scene.channel_id, "to nobody"));
    expect(await received(scene.member)).toEqual([first, last]);
    expect(await received(scene.owner)).toEqual([first, last]);
  });
});
