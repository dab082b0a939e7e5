import { permissionBits, VoiceState } from "@parley/contracts";
import {
  assignRole,
  connectGateway,
  createChannel,
  createClient,
  createRole,
  createServerWithMembers,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

let stack: SharedStack;
let client: RestClient;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl, { prefix: "/api" });
});

const { VIEW_CHANNEL, CONNECT_VOICE, ADMINISTRATOR } = permissionBits;

/** A voice channel with the owner and two members in it, and the owner's connections on both gateways. */
async function stage() {
  const { server, owner, members } = await createServerWithMembers(client, 2);
  const [member, friend] = members;
  const lobby = await createChannel(owner, server.id, { name: "lobby", type: "voice" });
  const voice = `/channels/${lobby.id}/voice`;
  const listeners = stack.gateways.map(({ url }) => connectGateway(url, owner.accessToken));
  await Promise.all(listeners.map(({ ready }) => ready));
  for (const user of [owner, member, friend]) (await user.post(voice)).expect(201, VoiceState);
  /** The ends that everybody in voice got on every gateway, once the change has been answered. */
  const expectEnds = async (...expected: unknown[]) => {
    for (const { events } of listeners) {
      const ends = () =>
        events.flatMap(({ name, payload }) => {
          if (name === "GO_LIVE_STOP")
            return [[name, z.object({ broadcaster_id: z.string() }).parse(payload).broadcaster_id]];
          if (name !== "VOICE_STATE_UPDATE") return [];
          const { channel_id, user_id } = VoiceState.parse(payload);
          return channel_id === null ? [[name, user_id]] : [];
        });
      await waitUntil(() => ends().length >= expected.length);
      expect(ends()).toEqual(expected);
    }
  };
  const present = async () => (await owner.get(voice)).expect(200, z.array(VoiceState)).map(({ user_id }) => user_id);
  const stop = () => {
    for (const listener of listeners) listener.terminate();
  };
  return { server, owner, member, friend, lobby, voice, expectEnds, present, stop };
}

const leave = ({ user }: UserClient) => ["VOICE_STATE_UPDATE", user.id];

describe("voice ends with the rights", () => {
  test("voice ends when an override takes VIEW_CHANNEL or CONNECT_VOICE: broadcast first, and the others stay", async () => {
    const { owner, member, friend, lobby, voice, expectEnds, present, stop } = await stage();
    expect((await member.post(`/channels/${lobby.id}/go-live`, {})).status).toBe(201);
    const deny = (user: UserClient, bits: number) =>
      owner.put(`/channels/${lobby.id}/overrides`, { user_id: user.user.id, allow: 0, deny: bits });
    expect((await deny(member, VIEW_CHANNEL)).status).toBe(200);
    expect(await present()).toEqual([owner.user.id, friend.user.id]);
    await expectEnds(["GO_LIVE_STOP", member.user.id], leave(member));
    expect((await member.delete(voice)).status).toBe(403);
    expect((await deny(friend, CONNECT_VOICE)).status).toBe(200);
    expect(await present()).toEqual([owner.user.id]);
    await expectEnds(["GO_LIVE_STOP", member.user.id], leave(member), leave(friend));
    expect((await friend.delete(voice)).status).toBe(404);
    stop();
  });

  test("voice ends when the role that gave its rights is taken, changed or deleted, administrators' roles included", async () => {
    const { server, owner, member, friend, lobby, expectEnds, present, stop } = await stage();
    const everyone = await createRole(owner, server.id, { name: "Everyone" });
    const trusted = await createRole(owner, server.id, { name: "Trusted" });
    const admins = await createRole(owner, server.id, { name: "Admins", permissions: ADMINISTRATOR });
    for (const user of [member, friend]) await assignRole(owner, everyone, user);
    await assignRole(owner, trusted, member);
    await assignRole(owner, admins, friend);
    const put = async (role_id: string, allow: number, deny: number) => {
      const answer = await owner.put(`/channels/${lobby.id}/overrides`, { role_id, allow, deny });
      expect(answer.status).toBe(200);
      return z.object({ id: z.string() }).parse(answer.body);
    };
    const { id } = await put(trusted.id, VIEW_CHANNEL, 0);
    await put(everyone.id, 0, VIEW_CHANNEL);
    expect(await present()).toEqual([owner, member, friend].map(({ user }) => user.id));
    expect((await owner.delete(`/servers/${server.id}/roles/${admins.id}`)).status).toBe(204);
    expect(await present()).toEqual([owner, member].map(({ user }) => user.id));
    expect((await owner.delete(`/channels/${lobby.id}/overrides/${id}`)).status).toBe(204);
    expect(await present()).toEqual([owner.user.id]);
    await expectEnds(leave(friend), leave(member));
    stop();
  });

  test("voice ends when a member gets a role that denies its rights, or loses the one that made them administrator", async () => {
    const { server, owner, member, friend, lobby, expectEnds, present, stop } = await stage();
    const muted = await createRole(owner, server.id, { name: "Muted" });
    const admins = await createRole(owner, server.id, { name: "Admins", permissions: ADMINISTRATOR });
    const override = { role_id: muted.id, allow: 0, deny: CONNECT_VOICE };
    expect((await owner.put(`/channels/${lobby.id}/overrides`, override)).status).toBe(200);
    await assignRole(owner, admins, friend);
    await assignRole(owner, muted, friend);
    expect(await present()).toEqual([owner, member, friend].map(({ user }) => user.id));
    await assignRole(owner, muted, member);
    expect(await present()).toEqual([owner, friend].map(({ user }) => user.id));
    const role = `/servers/${server.id}/members/${friend.user.id}/roles/${admins.id}`;
    expect((await owner.delete(role)).status).toBe(204);
    expect(await present()).toEqual([owner.user.id]);
    await expectEnds(leave(member), leave(friend));
    stop();
  });
});
