import { errorBody as error, GoLiveSession, IceServers, permissionBits, VoiceState } from "@parley/contracts";
import {
  connectWitnesses,
  createChannel,
  createClient,
  createServerWithMembers,
  type EquippedStack,
  type RestClient,
  sharedStack,
  type UserClient,
  type Witnesses,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

let stack: EquippedStack;
let client: RestClient;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl, { prefix: "/api" });
});

const voiceOf = (channelId: string) => `/channels/${channelId}/voice`;
const liveOf = (channelId: string) => `/channels/${channelId}/go-live`;
const left = (user: UserClient) => ({
  user_id: user.user.id,
  channel_id: null,
  self_mute: false,
  self_deaf: false,
  self_video: false,
  self_screen: false,
  server_mute: false,
  server_deaf: false,
  joined_at: null,
  username: user.username,
});

/** A server with two voice channels, one of them hidden from `hidden`, and witnesses on both gateways. */
async function stage() {
  const { server, channel: text, owner, members } = await createServerWithMembers(client, 2);
  const [member, hidden] = members;
  const lobby = await createChannel(owner, server.id, { name: "lobby", type: "voice" });
  const secret = await createChannel(owner, server.id, { name: "secret", type: "voice" });
  const override = { user_id: hidden.user.id, allow: 0, deny: permissionBits.VIEW_CHANNEL };
  expect((await owner.put(`/channels/${secret.id}/overrides`, override)).status).toBe(200);
  const stranger = await client.register();
  const viewers = await connectWitnesses(stack, { insiders: [owner], outsiders: [stranger] });
  const blind = await connectWitnesses(stack, { insiders: [hidden] });
  return { server, text, owner, member, hidden, stranger, lobby, secret, viewers, blind };
}

const stop = (...witnesses: Witnesses[]) => {
  for (const witness of witnesses) witness.close();
};

describe("voice state", () => {
  test("joining, changing flags, moving and leaving is announced to the viewers of the channel", async () => {
    const { owner, member, lobby, secret, viewers, blind } = await stage();
    const joined = (await member.post(voiceOf(lobby.id), {})).expect(201, VoiceState.strict());
    expect(joined).toEqual({ ...left(member), channel_id: lobby.id, joined_at: expect.stringMatching(/Z$/) });
    await viewers.expectEvents(["VOICE_STATE_UPDATE", joined]);
    await blind.expectEvents(["VOICE_STATE_UPDATE", joined]);
    expect((await owner.get(voiceOf(lobby.id))).expect(200, z.array(VoiceState))).toEqual([joined]);

    const muted = (await member.patch(voiceOf(lobby.id), { self_mute: true })).expect(200, VoiceState.strict());
    expect(muted).toEqual({ ...joined, self_mute: true });
    await viewers.expectEvents(["VOICE_STATE_UPDATE", muted]);
    await blind.expectEvents(["VOICE_STATE_UPDATE", muted]);

    // Those who cannot see where the member went see them leave.
    const moved = (await member.post(voiceOf(secret.id))).expect(201, VoiceState);
    expect(moved).toMatchObject({ channel_id: secret.id, self_mute: false });
    await viewers.expectEvents(["VOICE_STATE_UPDATE", moved]);
    await blind.expectEvents(["VOICE_STATE_UPDATE", left(member)]);
    expect((await owner.get(voiceOf(lobby.id))).body).toEqual([]);

    expect((await member.delete(voiceOf(secret.id))).status).toBe(204);
    await viewers.expectEvents(["VOICE_STATE_UPDATE", left(member)]);
    stop(viewers, blind);
  });

  test("a user is in one channel at a time, however many they join at once", async () => {
    const { owner, member, lobby, secret, viewers, blind } = await stage();
    await Promise.all(Array.from({ length: 12 }, (_, index) => member.post(voiceOf(index % 2 ? lobby.id : secret.id))));
    const states = await Promise.all([lobby, secret].map(({ id }) => owner.get(voiceOf(id))));
    expect(states.flatMap((answer) => answer.expect(200, z.array(VoiceState)))).toHaveLength(1);
    stop(viewers, blind);
  });

  test("leaving the server, the channel's deletion and the server's deletion end it", async () => {
    const { server, owner, member, hidden, lobby, secret, viewers, blind } = await stage();
    stop(blind);
    await member.post(voiceOf(lobby.id));
    await hidden.post(voiceOf(lobby.id));
    await owner.post(voiceOf(secret.id));
    const states = await Promise.all([lobby, secret].map(({ id }) => owner.get(voiceOf(id))));
    const [first, second, third] = states.flatMap((answer) => answer.expect(200, z.array(VoiceState)));
    await viewers.expectEvents(
      ["VOICE_STATE_UPDATE", first],
      ["VOICE_STATE_UPDATE", second],
      ["VOICE_STATE_UPDATE", third],
    );
    expect((await member.delete(`/servers/${server.id}/leave`)).status).toBe(204);
    await viewers.expectEvents(["VOICE_STATE_UPDATE", left(member)]);
    expect((await owner.delete(`/channels/${lobby.id}`)).status).toBe(204);
    await viewers.expectEvents(["VOICE_STATE_UPDATE", left(hidden)]);
    expect((await owner.delete(`/servers/${server.id}`)).status).toBe(204);
    await viewers.expectEvents(["VOICE_STATE_UPDATE", left(owner)]);
    stop(viewers);
  });

  test("voice state is refused where docs/protocol/calls.md#9.1 says so", async () => {
    const { server, text, owner, member, hidden, stranger, lobby, secret, viewers, blind } = await stage();
    const deny = { user_id: member.user.id, allow: 0, deny: permissionBits.CONNECT_VOICE };
    await owner.put(`/channels/${secret.id}/overrides`, deny);
    const notInChannel = error("Not in this voice channel");
    const atLeastOne = error("At least one of self_mute, self_deaf, self_video, self_screen must be provided");
    const cases: [Promise<{ status: number; body: unknown }>, number, unknown][] = [
      [member.get(voiceOf(text.id)), 400, error("Channel is not a voice channel")],
      [member.post(voiceOf(text.id)), 400, error("Channel is not a voice channel")],
      [stranger.get(voiceOf(lobby.id)), 404, error("Channel not found")],
      [stranger.post(voiceOf(lobby.id)), 404, error("Channel not found")],
      [hidden.get(voiceOf(secret.id)), 403, error("You don't have permission to view this channel")],
      [member.post(voiceOf(secret.id)), 403, error("You don't have permission to connect to this voice channel")],
      [member.patch(voiceOf(lobby.id), { self_mute: true }), 404, notInChannel],
      [member.delete(voiceOf(lobby.id)), 404, notInChannel],
      [member.patch(voiceOf(lobby.id), {}), 400, atLeastOne],
      [member.patch(voiceOf(lobby.id), { server_mute: true }), 400, error("Unknown field server_mute")],
      [member.patch(voiceOf(lobby.id), { self_mute: "yes" }), 400, error("self_mute must be a boolean")],
    ];
    for (const [request, status, body] of cases) {
      const answer = await request;
      expect([answer.status, answer.body]).toEqual([status, body]);
    }
    expect(server.id).toBeTruthy();
    stop(viewers, blind);
  });
});

describe("go-live", () => {
  test("go-live allows one broadcast per channel, which its broadcaster renews and which ends with their voice state", async () => {
    const { owner, member, hidden, lobby, viewers, blind } = await stage();
    const joined = (await member.post(voiceOf(lobby.id))).expect(201, VoiceState);
    const other = (await hidden.post(voiceOf(lobby.id))).expect(201, VoiceState);
    const session = (await member.post(liveOf(lobby.id), {})).expect(201, GoLiveSession.strict());
    expect(session).toEqual({
      channel_id: lobby.id,
      broadcaster_id: member.user.id,
      quality: "720p",
      started_at: expect.stringMatching(/Z$/),
    });
    const renewed = (await member.post(liveOf(lobby.id), { quality: "1080p" })).expect(201, GoLiveSession);
    expect((await owner.get(liveOf(lobby.id))).body).toEqual(renewed);
    const taken = await hidden.post(liveOf(lobby.id));
    expect([taken.status, taken.body]).toEqual([400, error("Another user is already broadcasting in this channel")]);
    const foreign = await owner.delete(liveOf(lobby.id));
    expect([foreign.status, foreign.body]).toEqual([403, error("Only the broadcaster can end the Go Live session")]);
    await member.delete(voiceOf(lobby.id));
    await viewers.expectEvents(
      ["VOICE_STATE_UPDATE", joined],
      ["VOICE_STATE_UPDATE", other],
      ["GO_LIVE_START", session],
      ["GO_LIVE_START", renewed],
      ["GO_LIVE_STOP", { channel_id: lobby.id, broadcaster_id: member.user.id }],
      ["VOICE_STATE_UPDATE", left(member)],
    );
    const missing = await owner.get(liveOf(lobby.id));
    expect([missing.status, missing.body]).toEqual([404, error("No active Go Live session")]);
    stop(viewers, blind);
  });

  test("go-live is refused where docs/protocol/calls.md#9.2 says so, and ends on request", async () => {
    const { text, owner, member, stranger, lobby, viewers, blind } = await stage();
    const cases: [Promise<{ status: number; body: unknown }>, number, unknown][] = [
      [member.post(liveOf(text.id)), 400, error("Channel is not a voice channel")],
      [member.post(liveOf(lobby.id)), 400, error("You must be in the voice channel to go live")],
      [member.post(liveOf(lobby.id), { quality: "4k" }), 400, error("quality must be one of: 480p, 720p, 1080p")],
      [stranger.get(liveOf(lobby.id)), 404, error("Channel not found")],
      [member.delete(liveOf(lobby.id)), 404, error("No active Go Live session")],
    ];
    for (const [request, status, body] of cases) {
      const answer = await request;
      expect([answer.status, answer.body]).toEqual([status, body]);
    }
    await owner.post(voiceOf(lobby.id));
    await owner.post(liveOf(lobby.id), { quality: "480p" });
    expect((await owner.delete(liveOf(lobby.id))).status).toBe(204);
    expect((await owner.get(liveOf(lobby.id))).status).toBe(404);
    stop(viewers, blind);
  });
});

describe("ICE servers", () => {
  test("name STUN without and TURN with time-limited credentials", async () => {
    const ann = await client.register();
    const { iceServers, ttl } = (await ann.get("/ice-servers")).expect(200, IceServers.strict());
    expect(ttl).toBe(86_400);
    expect(iceServers.slice(0, 2)).toEqual(stack.stunUrls.map((urls) => ({ urls })));
    const [, , turn] = iceServers;
    const [expiry, name] = turn?.username?.split(":") ?? [];
    expect([turn?.urls, name]).toEqual([`turn:127.0.0.1:${stack.turn.port}`, ann.username]);
    expect(Math.abs(Number(expiry) - Date.now() / 1000 - 86_400)).toBeLessThan(60);
    const { createHmac } = await import("node:crypto");
    const expected = createHmac("sha1", stack.turn.secret).update(String(turn?.username)).digest("base64");
    expect(turn?.credential).toBe(expected);
    expect((await client.get("/ice-servers")).status).toBe(401);
  });
});
