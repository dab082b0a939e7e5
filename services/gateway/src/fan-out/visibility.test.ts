import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { connectClient, messageOf, publish, startGateway } from "../gateway-fixture.js";
import { memberRole, received, type Stage, serverOf, startStage, viewBit } from "./visibility-fixture.js";

let stage: Stage;

beforeAll(async () => {
  stage = await startStage();
});

afterAll(() => stage?.stop());

describe("visibility", () => {
  test("visibility keeps the events of a channel from those who may not view it", async () => {
    const scene = await stage.createScene();
    const hidden = { ...scene, channel_id: await stage.rows.channel(scene.server_id) };
    await stage.rows.override(hidden.channel_id, { role_id: scene.role_id }, { deny: viewBit });
    await publish(stage.messaging, "ROLE_UPDATE", serverOf(scene), await stage.roleOf(scene));
    await stage.post(scene.owner, hidden);
    const open = await stage.post(scene.owner, scene);
    expect(await received(scene.member)).toEqual([open]);
  });

  test("visibility ends with an override and begins again when it is gone; both events reach every member", async () => {
    const scene = await stage.createScene();
    const before = await stage.post(scene.owner, scene);
    const override = await stage.hide(scene);
    await stage.post(scene.owner, scene);
    await stage.database.prisma.channelOverride.delete({ where: { id: override.id } });
    await publish(stage.messaging, "CHANNEL_OVERRIDE_DELETE", serverOf(scene), {
      channel_id: scene.channel_id,
      override_id: override.id,
    });
    const after = await stage.post(scene.owner, scene);
    expect(await received(scene.member)).toEqual([before, after]);
    expect(scene.member.events()).toEqual([
      "MESSAGE_CREATE",
      "CHANNEL_OVERRIDE_UPDATE",
      "CHANNEL_OVERRIDE_DELETE",
      "MESSAGE_CREATE",
    ]);
  });

  test("visibility follows the roles of a member", async () => {
    const scene = await stage.createScene();
    await stage.hide(scene);
    await stage.post(scene.owner, scene);
    const { server_id, memberId: user_id, role_id } = scene;
    await stage.database.prisma.memberRole.delete({
      where: { server_id_user_id_role_id: { server_id, user_id, role_id } },
    });
    await publish(stage.messaging, "MEMBER_ROLE_REMOVE", serverOf(scene), memberRole(scene));
    const without = await stage.post(scene.owner, scene);
    await stage.rows.giveRole(server_id, user_id, role_id);
    await publish(stage.messaging, "MEMBER_ROLE_ADD", serverOf(scene), memberRole(scene));
    await stage.post(scene.owner, scene);
    expect(await received(scene.member)).toEqual([without]);
  });

  test("visibility follows the permissions of a role", async () => {
    const scene = await stage.createScene();
    await stage.hide(scene);
    await stage.post(scene.owner, scene);
    await stage.database.prisma.role.update({ where: { id: scene.role_id }, data: { permissions: 8192 } });
    await publish(stage.messaging, "ROLE_UPDATE", serverOf(scene), await stage.roleOf(scene));
    const asAdministrator = await stage.post(scene.owner, scene);
    expect(await received(scene.member)).toEqual([asAdministrator]);
  });

  test("visibility delivers the late events of a deleted channel to those who could view it only", async () => {
    const scene = await stage.createScene();
    await stage.hide(scene);
    await stage.post(scene.owner, scene);
    await stage.database.prisma.channel.delete({ where: { id: scene.channel_id } });
    await publish(stage.messaging, "ROLE_UPDATE", serverOf(scene), await stage.roleOf(scene));
    const late = await stage.post(scene.owner, scene);
    expect(await received(scene.owner)).toContain(late);
    expect(await received(scene.member)).toEqual([]);
  });

  test("visibility delivers a new channel's events at once, and does not deliver those of an unknown channel", async () => {
    const scene = await stage.createScene();
    await stage.post(scene.owner, scene);
    const channel_id = await stage.rows.channel(scene.server_id);
    const inNew = await stage.post(scene.owner, { ...scene, channel_id });
    const unknown = scene.ownerId;
    await publish(stage.messaging, "MESSAGE_CREATE", { ...scene, channel_id: unknown }, messageOf(unknown, "nobody"));
    const last = await stage.post(scene.owner, scene);
    expect((await received(scene.member)).slice(1)).toEqual([inNew, last]);
  });

  test("visibility leaves out those who may view the channel named in the event", async () => {
    const scene = await stage.createScene();
    const to = await stage.rows.channel(scene.server_id);
    await stage.rows.override(to, { role_id: scene.role_id }, { deny: viewBit });
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
    await publish(stage.messaging, "VOICE_STATE_UPDATE", scene, state, { except_viewers_of: to });
    await scene.member.receive("VOICE_STATE_UPDATE");
    await scene.owner.settled();
    expect(scene.owner.events()).toEqual([]);
  });

  test("visibility holds for those who connect after the change", async () => {
    const scene = await stage.createScene();
    await stage.hide(scene);
    const again = await connectClient(stage, scene.memberId);
    const elsewhere = await connectClient(stage, await stage.joinedUser(scene));
    await stage.post(scene.owner, scene);
    expect(await received(again)).toEqual([]);
    expect(await received(elsewhere)).toHaveLength(1);
  });

  test("never lets a message through that was posted after the answer of the change, on two nodes under load", async () => {
    const other = await startGateway({
      databaseUrl: stage.databaseUrl,
      natsUrl: stage.natsUrl,
      redisUrl: stage.redisUrl,
    });
    onTestFinished(other.stop);
    const scene = await stage.createScene();
    const { server_id, channel_id } = scene;
    const abroad = await connectClient(other, scene.memberId);
    const witnesses = [scene.owner, await connectClient(other, scene.ownerId)];
    const load: Promise<unknown>[] = [];
    const busy = setInterval(() => {
      const published = publish(stage.messaging, "INVITE_DELETE", { server_id }, { server_id, invite_id: server_id });
      load.push(published.catch((error: unknown) => error));
    }, 1);
    // Also when the test fails: later tests share the process.
    onTestFinished(async () => {
      clearInterval(busy);
      await Promise.all(load);
    });
    const visible: string[] = [];
    for (let round = 0; round < 25; round++) {
      const override = await stage.hide(scene);
      for (let count = 0; count < 5; count++) {
        await publish(stage.messaging, "MESSAGE_CREATE", scene, messageOf(channel_id, `hidden ${round} ${count}`));
      }
      // A right that is gained while an event is on its way counts for it, so the nodes have to be done with these.
      for (const witness of witnesses) {
        await witness.receive("MESSAGE_CREATE", (d) => d.content === `hidden ${round} 4`);
      }
      await stage.database.prisma.channelOverride.delete({ where: { id: override.id } });
      const deleted = { channel_id, override_id: override.id };
      await publish(stage.messaging, "CHANNEL_OVERRIDE_DELETE", serverOf(scene), deleted);
      for (let count = 0; count < 5; count++) {
        visible.push(`visible ${round} ${count}`);
        await publish(stage.messaging, "MESSAGE_CREATE", scene, messageOf(channel_id, visible.at(-1) ?? ""));
      }
      // The next round takes the right away again; a message that has not arrived by then may be missing.
      for (const client of [scene.member, abroad]) {
        await client.receive("MESSAGE_CREATE", (d) => d.content === visible.at(-1));
      }
    }
    for (const client of [scene.member, abroad]) expect(await received(client)).toEqual(visible);
  });
});
