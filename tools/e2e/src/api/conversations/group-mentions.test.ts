import { DetailedMessage, errorBody as error, Message, type Role, SentMessage } from "@parley/contracts";
import { assignRole, createClient, createRole, createServerWithMembers, type UserClient } from "@parley/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type ChangeStage, startChangeStage } from "../delivery/changes/change-stage.js";
import { createConnections } from "../stages/connection-stage.js";

let stage: ChangeStage;
let mods: Role;
beforeAll(async () => {
  stage = await startChangeStage();
  mods = await createRole(stage.owner, stage.serverId, { name: "Chess Mods", mentionable: true });
  await assignRole(stage.owner, mods, stage.viewer);
});
afterAll(() => stage?.connections.closeAll());

const post = async (by: UserClient, content: string, channelId = stage.open.id) =>
  (await by.post(`/channels/${channelId}/messages`, { content })).expect(201, SentMessage.strict());

/** The mentions of a user that a new connection is sent. */
async function mentionCount(user: UserClient, channelId: string): Promise<number> {
  const connections = createConnections(stage.stack);
  const { ready } = await connections.open(user.accessToken, 1);
  connections.closeAll();
  return (await ready).mention_counts.find(({ channel_id }) => channel_id === channelId)?.count ?? 0;
}

describe("a mention of a role", () => {
  test("is in the answer, in history and in events with v=2, and counts for those who hold the role then", async () => {
    const { owner, viewer, outsider, open, heard } = stage;
    const before = await mentionCount(viewer, open.id);
    await heard();
    const sent = await post(owner, "ask @Chess Mods, please");
    expect(sent).toMatchObject({ mention_role_ids: [mods.id], mention_user_ids: [], mention_everyone: false });
    const { v1, v2 } = await heard();
    const [event] = v2.viewer;
    expect(event).toMatchObject(["MESSAGE_CREATE", { id: sent.id, mention_role_ids: [mods.id] }]);
    const { mention_role_ids: _newer, ...older } = Object(event?.[1]);
    expect(v1.viewer).toEqual([["MESSAGE_CREATE", older]]);

    const listed = (await outsider.get(`/channels/${open.id}/messages?limit=5`)).expect(200, z.array(DetailedMessage));
    expect(listed.find(({ id }) => id === sent.id)?.mention_role_ids).toEqual([mods.id]);
    // The message mentioned the former holder of the role, and not the later one.
    await owner.delete(`/servers/${mods.server_id}/members/${viewer.user.id}/roles/${mods.id}`);
    await assignRole(owner, mods, outsider);
    expect(await mentionCount(viewer, open.id)).toBe(before + 1);
    expect(await mentionCount(outsider, open.id)).toBe(0);
    await owner.delete(`/servers/${mods.server_id}/members/${outsider.user.id}/roles/${mods.id}`);
    await assignRole(owner, mods, viewer);
    await heard();
  });

  test.each([
    ["@Chess Mods.", true],
    ["(@Chess Mods)", true],
    ["**@Chess Mods**", true],
    ["@Chess Mods's", true],
    ["@Chess Mods-2", false],
    ["@Chess Modsé", false],
    ["@Chess Mods_", false],
    ["@chess mods", false],
    ["`@Chess Mods`", false],
    ["a@Chess Mods", false],
  ])("%j is one: %s", async (content, isMention) => {
    const { mention_role_ids } = await post(stage.owner, content);
    expect(mention_role_ids).toEqual(isMention ? [mods.id] : undefined);
  });

  test("is of the longest name that fits, and not of one that a member has", async () => {
    const { owner, viewer, serverId } = stage;
    const long = await createRole(owner, serverId, { name: "Chess Mods of Honour", mentionable: true });
    const namesake = await createRole(owner, serverId, { name: viewer.user.username, mentionable: true });
    const sent = await post(owner, `@Chess Mods of Honour, @${viewer.user.username} and @Chess Mods`);
    expect(sent.mention_role_ids).toEqual([long.id, mods.id]);
    expect(sent.mention_user_ids).toEqual([viewer.user.id]);
    for (const { id } of [long, namesake]) await owner.delete(`/servers/${serverId}/roles/${id}`);
  });

  test("needs a mentionable role or the right to mention everyone; else the text stays text", async () => {
    const { owner, outsider, serverId } = stage;
    const quiet = await createRole(owner, serverId, { name: "Quiet" });
    expect(quiet).not.toHaveProperty("mentionable");
    const everyone = `/servers/${serverId}/roles/${serverId}`;
    expect(await owner.patch(everyone, { mentionable: true })).toMatchObject({ status: 400 });
    expect(await owner.patch(`/servers/${serverId}/roles/${quiet.id}`, { mentionable: 1 })).toMatchObject({
      status: 400,
      body: error("mentionable must be a boolean"),
    });
    expect((await post(outsider, "@Quiet")).mention_role_ids).toEqual([quiet.id]);
    await owner.patch(everyone, { rights: ["use_apps"] });
    expect(await post(outsider, "@Quiet @here @everyone")).toMatchObject({ mention_everyone: false });
    const texts = await post(outsider, "@Quiet @here");
    expect([texts.mention_role_ids, texts.mention_here]).toEqual([undefined, undefined]);
    const changed = await owner.patch(`/servers/${serverId}/roles/${quiet.id}`, { mentionable: true });
    expect(changed.body).toMatchObject({ mentionable: true });
    expect((await post(outsider, "@Quiet")).mention_role_ids).toEqual([quiet.id]);
    await owner.patch(everyone, { rights: ["mention_everyone", "use_apps"] });
    await owner.delete(`/servers/${serverId}/roles/${quiet.id}`);
  });

  test("comes and goes with an edit, and its event has the role with v=2 alone", async () => {
    const { owner, viewer, open, heard } = stage;
    const before = await mentionCount(viewer, open.id);
    const sent = await post(owner, "nobody");
    await heard();
    const edited = (await owner.patch(`/messages/${sent.id}`, { content: "@Chess Mods" })).expect(200, Message);
    expect(edited.mention_role_ids).toEqual([mods.id]);
    const { v1, v2 } = await heard({ viewer: "MESSAGE_UPDATE" });
    expect(v2.viewer).toMatchObject([["MESSAGE_UPDATE", { mention_role_ids: [mods.id] }]]);
    expect(Object(v1.viewer[0]?.[1])).not.toHaveProperty("mention_role_ids");
    expect(await mentionCount(viewer, open.id)).toBe(before + 1);
    await owner.patch(`/messages/${sent.id}`, { content: "nobody again" });
    expect(await mentionCount(viewer, open.id)).toBe(before);
    await heard();
  });
});

describe("@here", () => {
  let fixture: Awaited<ReturnType<typeof createServerWithMembers<2>>>;
  beforeEach(async () => {
    fixture = await createServerWithMembers(createClient(stage.stack.edgeUrl), 2);
  });

  test("counts for members who are connected when it is stored, and for no others", async () => {
    const { owner, members, channel } = fixture;
    const [present, away] = members;
    const connections = createConnections(stage.stack);
    const socket = await connections.open(present.accessToken, 0, "v=2");
    const sent = await post(owner, "@here", channel.id);
    expect(sent).toMatchObject({ mention_here: true, mention_everyone: false });
    expect(await socket.waitFor("MESSAGE_CREATE")).toMatchObject({ mention_here: true, mention_everyone: false });
    connections.closeAll();
    expect(await mentionCount(present, channel.id)).toBe(1);
    expect(await mentionCount(away, channel.id)).toBe(0);
  });
});
