import { errorBody as error, permissionBits, Role, VoiceState } from "@parley/contracts";
import {
  connectGateway,
  createChannel,
  createClient,
  createServerWithMembers,
  type RestClient,
  type ServerFixture,
  type SharedStack,
  sharedStack,
  type UserClient,
  type Users,
} from "@parley/testing";
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";

let stack: SharedStack;
let client: RestClient;
let fixture: ServerFixture<Users<2>>;
let lobby: string;
beforeEach(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
  fixture = await createServerWithMembers(client, 2);
  lobby = await voiceChannel("lobby");
});

const voiceChannel = async (name: string) =>
  (await createChannel(fixture.owner, fixture.server.id, { name, type: "voice" })).id;
const join = (by: RestClient, channelId = lobby) => by.post(`/channels/${channelId}/voice`);
const moderate = (by: RestClient, target: UserClient, changes: object) =>
  by.patch(`/servers/${fixture.server.id}/members/${target.user.id}/voice`, changes);
const stateAfter = async (by: RestClient, target: UserClient, changes: object) =>
  (await moderate(by, target, changes)).expect(200, VoiceState.strict());
const at = (index: number, { accessToken }: UserClient) =>
  createClient(stack.apis[index]?.url ?? "").withAuthorization(`Bearer ${accessToken}`);
const connect = ({ accessToken }: UserClient, version: number, gateway = 0) =>
  connectGateway(stack.gateways[gateway]?.url ?? "", accessToken, {
    query: `token=${encodeURIComponent(accessToken)}&v=${version}`,
  });
const makeModerator = async (member: UserClient, permissions: number, position = 1) => {
  const { owner, server } = fixture;
  const fields = { name: "Arbiter", permissions, position };
  const { id } = (await owner.post(`/servers/${server.id}/roles`, fields)).expect(201, Role);
  expect((await owner.put(`/servers/${server.id}/members/${member.user.id}/roles/${id}`)).status).toBe(204);
};
const actions = async () =>
  (await fixture.owner.get(`/servers/${fixture.server.id}/audit-logs?limit=50`))
    .expect(200, z.array(z.object({ action: z.string() })))
    .map(({ action }) => action)
    .filter((action) => action.startsWith("voice_"));

test("muting and deafening belong to the membership at every api: they outlive leaving voice, and end with the membership", async () => {
  const { owner, members, server } = fixture;
  const [member] = members;
  const socket = connect(owner, 2);
  await socket.ready;
  const absent = await stateAfter(at(1, owner), member, { server_mute: true });
  expect(absent).toMatchObject({ user_id: member.user.id, channel_id: null, server_mute: true, server_deaf: false });
  expect((await join(at(0, member))).expect(201, VoiceState.strict()).server_mute).toBe(true);
  const deaf = await stateAfter(owner, member, { server_mute: false, server_deaf: true });
  expect(deaf).toMatchObject({ channel_id: lobby, server_mute: false, server_deaf: true });
  expect(await socket.waitFor("VOICE_STATE_UPDATE", ({ server_deaf }) => server_deaf)).toEqual(deaf);
  expect((await member.delete(`/channels/${lobby}/voice`)).status).toBe(204);
  expect((await join(at(1, member))).expect(201, VoiceState).server_deaf).toBe(true);
  expect((await member.delete(`/servers/${server.id}/leave`)).status).toBe(204);
  expect((await member.post(`/servers/${server.id}/join`)).status).toBe(201);
  expect((await join(member)).expect(201, VoiceState)).toMatchObject({ server_mute: false, server_deaf: false });
  const same = { user_id: member.user.id, channel_id: lobby, server_mute: false };
  for (const nothing of [{}, { server_mute: null }])
    expect(await stateAfter(owner, member, nothing)).toMatchObject(same);
  expect((await moderate(member, owner, {})).status).toBe(403);
  expect(await actions()).toEqual(["voice_deafen", "voice_mute", "voice_mute"]);
  socket.terminate();
});

test("moderators move and disconnect, past limits and CONNECT_VOICE, but not into a channel that one of both may not view", async () => {
  const { owner, members, server, channel } = fixture;
  const [member, moderator] = members;
  await makeModerator(moderator, permissionBits.KICK_MEMBERS);
  const notThere = await moderate(moderator, member, { channel_id: lobby });
  expect([notThere.status, notThere.body]).toEqual([404, error("Not in a voice channel")]);
  const stage = await voiceChannel("stage");
  const closed = { role_id: server.id, allow: 0, deny: permissionBits.CONNECT_VOICE };
  expect((await owner.put(`/channels/${stage}/overrides`, closed)).status).toBe(200);
  expect((await join(member)).status).toBe(201);
  const muted = await moderate(moderator, member, { server_mute: true, channel_id: stage });
  expect([muted.status, muted.body]).toEqual([403, error("You lack the required permission for this action")]);
  expect((await stateAfter(moderator, member, { channel_id: stage })).channel_id).toBe(stage);
  expect((await stateAfter(at(1, moderator), member, { channel_id: stage })).channel_id).toBe(stage);
  // Any change of rights ends the voice of those who may not be there; a moved member may.
  await makeModerator(member, 0);
  expect((await owner.get(`/channels/${stage}/voice`)).expect(200, z.array(VoiceState))).toHaveLength(1);
  const hidden = await voiceChannel("hidden");
  const unseen = { user_id: member.user.id, allow: 0, deny: permissionBits.VIEW_CHANNEL };
  expect((await owner.put(`/channels/${hidden}/overrides`, unseen)).status).toBe(200);
  const refused = await moderate(owner, member, { channel_id: hidden });
  expect([refused.status, refused.body]).toEqual([403, error("You don't have permission to view this channel")]);
  const text = await moderate(owner, member, { channel_id: channel.id });
  expect([text.status, text.body]).toEqual([400, error("Channel is not a voice channel")]);
  const unknown = await moderate(owner, member, { channel_id: crypto.randomUUID() });
  expect([unknown.status, unknown.body]).toEqual([404, error("Channel not found")]);
  // A refused move leaves the rest undone.
  expect((await moderate(owner, member, { server_mute: true, channel_id: channel.id })).status).toBe(400);
  expect((await owner.get(`/channels/${stage}/voice`)).body).toMatchObject([{ server_mute: false }]);
  expect((await stateAfter(moderator, member, { channel_id: null })).channel_id).toBe(null);
  expect((await owner.get(`/channels/${stage}/voice`)).body).toEqual([]);
  expect(await actions()).toEqual(["voice_disconnect", "voice_move", "voice_move"]);
});

test("a move notifies the moved user alone, on both gateways, before the state; a join elsewhere does not", async () => {
  const { owner, members } = fixture;
  const [member] = members;
  const [stage, hall] = [await voiceChannel("stage"), await voiceChannel("hall")];
  expect((await join(member)).status).toBe(201);
  const sockets = [connect(member, 2), connect(member, 2, 1), connect(owner, 2), connect(member, 1)] as const;
  await Promise.all(sockets.map(({ ready }) => ready));
  await stateAfter(owner, member, { channel_id: stage });
  expect((await join(member, hall)).status).toBe(201);
  const heard = await Promise.all(
    sockets.map(async (socket) => {
      await socket.waitFor("VOICE_STATE_UPDATE", ({ channel_id }) => channel_id === hall);
      return socket.events
        .filter(({ name, payload }) => name.startsWith("VOICE_") && Object(payload).channel_id !== lobby)
        .map(({ name, payload }) => [name, Object(payload).channel_id]);
    }),
  );
  const states = [
    ["VOICE_STATE_UPDATE", stage],
    ["VOICE_STATE_UPDATE", hall],
  ];
  const moved = [["VOICE_MOVE", stage], ...states];
  expect(heard).toEqual([moved, moved, states, states]);
  for (const socket of sockets) socket.terminate();
});

test("who is above the caller, the owner, oneself and strangers are not moderated", async () => {
  const { owner, members, server } = fixture;
  const [member, moderator] = members;
  const answer = async (target: UserClient, changes: object = { server_mute: true }) => {
    const { status, body } = await moderate(moderator, target, changes);
    return [status, body];
  };
  expect(await answer(member)).toEqual([403, error("You lack the required permission for this action")]);
  await makeModerator(moderator, permissionBits.MUTE_MEMBERS);
  expect((await answer(member))[0]).toBe(200);
  expect(await answer(owner)).toEqual([403, error("Cannot moderate the server owner")]);
  expect(await answer(moderator)).toEqual([400, error("You cannot moderate yourself")]);
  expect(await answer(await client.register())).toEqual([404, error("Member not found")]);
  await makeModerator(member, 0, 5);
  expect((await answer(member))[0]).toBe(200);
  expect((await owner.patch(`/servers/${server.id}`, { hierarchy: true })).status).toBe(200);
  expect(await answer(member)).toEqual([403, error("Cannot moderate a member at or above your highest role position")]);
  expect(await answer(member, {})).toEqual([
    403,
    error("Cannot moderate a member at or above your highest role position"),
  ]);
  expect(await answer(member, { server_mute: "yes" })).toEqual([400, error("server_mute must be a boolean")]);
});

test("a voice channel takes no more than its limit, whichever api is asked, but for whoever manages channels", async () => {
  const { owner, members } = fixture;
  const limit = (user_limit: unknown) => owner.patch(`/channels/${lobby}`, { user_limit });
  expect((await limit(2)).body).toMatchObject({ user_limit: 2 });
  const crowd = [...members, ...(await Promise.all(Array.from({ length: 4 }, () => client.register())))];
  for (const user of crowd.slice(2)) expect((await user.post(`/servers/${fixture.server.id}/join`)).status).toBe(201);
  const answers = await Promise.all(crowd.map((user, index) => join(at(index % 2, user))));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403, 403, 403]);
  const refused = answers.find(({ status }) => status === 403);
  expect(refused?.body).toEqual(error("This voice channel is full"));
  const inside = crowd.find((_, index) => answers[index]?.status === 201);
  expect((await join(inside ?? owner)).status).toBe(201);
  expect((await join(owner)).status).toBe(201);
  expect((await owner.get(`/channels/${lobby}/voice`)).expect(200, z.array(VoiceState))).toHaveLength(3);
  expect(Object.keys((await limit(0)).expect(200, z.object({}).loose()))).not.toContain("user_limit");
  for (const wrong of [-1, 100, 1.5, "2"]) {
    const answer = await limit(wrong);
    expect([answer.status, answer.body]).toEqual([400, error("user_limit must be between 0 and 99")]);
  }
  const text = await owner.patch(`/channels/${fixture.channel.id}`, { user_limit: 2 });
  expect([text.status, text.body]).toEqual([400, error("Channel is not a voice channel")]);
});

test("without SPEAK a state is suppressed, at once with a change of rights, and only v=2 hears so", async () => {
  const { owner, members, server } = fixture;
  const [member] = members;
  const [v1, v2] = [connect(owner, 1), connect(owner, 2)];
  await Promise.all([v1.ready, v2.ready]);
  const joined = (await join(member)).expect(201, VoiceState.strict());
  expect(joined.suppressed).toBe(undefined);
  const silent = { role_id: server.id, allow: 0, deny: permissionBits.SPEAK };
  expect((await owner.put(`/channels/${lobby}/overrides`, silent)).status).toBe(200);
  const [state] = (await owner.get(`/channels/${lobby}/voice`)).expect(200, z.array(VoiceState));
  expect(state).toEqual({ ...joined, suppressed: true });
  expect(await v2.waitFor("VOICE_STATE_UPDATE", ({ suppressed }) => suppressed === true)).toEqual(state);
  await makeModerator(member, permissionBits.SPEAK);
  const loud = { user_id: member.user.id, allow: permissionBits.SPEAK, deny: 0 };
  expect((await owner.put(`/channels/${lobby}/overrides`, loud)).status).toBe(200);
  expect((await owner.get(`/channels/${lobby}/voice`)).body).toEqual([joined]);
  const other = members[1];
  expect((await join(other)).expect(201, VoiceState).suppressed).toBe(true);
  await v1.waitFor("VOICE_STATE_UPDATE", ({ user_id }) => user_id === other.user.id);
  expect(v1.frames.filter((frame) => frame.includes("suppressed"))).toEqual([]);
  for (const socket of [v1, v2]) socket.terminate();
});
