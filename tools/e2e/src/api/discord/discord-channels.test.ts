import { beforeAll, describe, expect, test } from "vitest";
import { identify } from "./discord-socket.js";
import { createDiscordStage, type DiscordStage, everyPermission, snowflake } from "./discord-stage.js";

let stage: DiscordStage;
beforeAll(async () => {
  stage = await createDiscordStage({ permissions: everyPermission });
});

interface Guild {
  readonly channels: readonly { readonly id: string }[];
  readonly members: readonly { readonly user: { readonly id: string } }[];
  readonly voice_states: readonly object[];
  readonly presences: readonly object[];
}
const guilds = 1 << 0;

describe("channels over Discord's API", () => {
  test("a voice channel has a limit of people", async () => {
    const { call, guildId } = stage;
    const path = `/guilds/${guildId}/channels`;
    const made = await call("POST", path, { name: "Blitz", type: 2, user_limit: 5 });
    expect(made).toMatchObject({ status: 201, body: { type: 2, user_limit: 5 } });
    const changed = await call("PATCH", `/channels/${made.body.id}`, { user_limit: 7 });
    expect(changed).toMatchObject({ status: 200, body: { user_limit: 7 } });
    expect((await call("GET", `/channels/${made.body.id}`)).body.user_limit).toBe(7);
    const refused = await call("POST", path, { name: "Blitz", type: 2, user_limit: 100 });
    expect(refused).toMatchObject({ status: 400, body: { code: 50035, errors: { user_limit: {} } } });
  });

  test("names its newest message and the time of its newest pin, in events only where they are known", async () => {
    const { call, textChannelId, bot, stack } = stage;
    const channel = `/channels/${textChannelId}`;
    expect((await call("GET", channel)).body).toMatchObject({ last_message_id: null, last_pin_timestamp: null });
    await call("POST", `${channel}/messages`, { content: "first" });
    const { body: last } = await call("POST", `${channel}/messages`, { content: "last" });
    await call("PUT", `${channel}/pins/${last.id}`);
    const known = { last_message_id: last.id, last_pin_timestamp: expect.stringMatching(/^20.*\+00:00$/) };
    expect((await call("GET", channel)).body).toMatchObject(known);
    const socket = await identify(stack.edgeUrl, bot.token, { intents: guilds });
    const guild = await socket.waitFor<Guild>("GUILD_CREATE");
    expect(guild.channels.find(({ id }) => id === textChannelId)).toMatchObject(known);
    await call("PATCH", channel, { topic: "Games" });
    const update = await socket.waitFor("CHANNEL_UPDATE");
    expect(update).toMatchObject({ id: textChannelId, topic: "Games" });
    expect(Object.keys(update)).not.toEqual(expect.arrayContaining(["last_message_id"]));
    await socket.close();
  });

  test("a server comes with the people in voice and their states", async () => {
    const { call, guildId, memberId, member, owner, serverId, applicationId, bot, stack } = stage;
    const { id } = (await owner.post(`/servers/${serverId}/channels`, { name: "Lounge", type: "voice" })).body as {
      id: string;
    };
    await member.post(`/channels/${id}/voice`, {});
    await member.patch(`/channels/${id}/voice`, { self_mute: true });
    const muted = await call("PATCH", `/guilds/${guildId}/members/${memberId}`, { deaf: true });
    expect(muted).toMatchObject({ status: 200, body: { deaf: true, mute: false } });
    const socket = await identify(stack.edgeUrl, bot.token, { intents: guilds });
    const guild = await socket.waitFor<Guild>("GUILD_CREATE");
    expect(guild.voice_states).toMatchObject([
      { user_id: memberId, channel_id: snowflake(id), self_mute: true, self_deaf: false, deaf: true, mute: false },
    ]);
    expect(guild.members.map(({ user }) => user.id).sort()).toEqual([applicationId, memberId].sort());
    expect(guild.members.find(({ user }) => user.id === memberId)).toMatchObject({ deaf: true, mute: false });
    expect(guild.presences).toEqual([]);
    await socket.close();
    for (const path of [`members/${memberId}`, `members/search?query=${member.username}`, "members?limit=10"]) {
      const { body } = await call("GET", `/guilds/${guildId}/${path}`);
      const found = [body].flat().find(({ user }: { user: { id: string } }) => user.id === memberId);
      expect(found).toMatchObject({ deaf: true, mute: false });
    }
  });

  test("a message is a thread once one began with it", async () => {
    const { call, textChannelId } = stage;
    const messages = `/channels/${textChannelId}/messages`;
    const { body: root } = await call("POST", messages, { content: "Openings" });
    const unknown = { status: 404, body: { code: 10003 } };
    expect(await call("GET", `/channels/${root.id}`)).toMatchObject(unknown);
    expect(await call("PATCH", `/channels/${root.id}`, { name: "Endgames" })).toMatchObject(unknown);
    expect((await call("POST", `${messages}/${root.id}/threads`, { name: "Openings" })).status).toBe(201);
    const thread = { status: 200, body: { id: root.id, type: 11 } };
    expect(await call("GET", `/channels/${root.id}`)).toMatchObject(thread);
    expect(await call("PATCH", `/channels/${root.id}`, { name: "Endgames" })).toMatchObject(thread);
    const { body: alone } = await call("POST", `/channels/${textChannelId}/threads`, { name: "Puzzles" });
    expect(await call("GET", `/channels/${alone.id}`)).toMatchObject({ status: 200, body: { name: "Puzzles" } });
  });

  test("a role without permissions of its own has everybody's, and there are no super reactions", async () => {
    const { call, guildId, textChannelId } = stage;
    const roles = `/guilds/${guildId}/roles`;
    const [everyone] = (await call("GET", roles)).body;
    expect(everyone.permissions).not.toBe("0");
    expect((await call("POST", roles, { name: "Plain" })).body.permissions).toBe(everyone.permissions);
    expect((await call("POST", roles, { name: "Bare", permissions: "0" })).body.permissions).toBe("0");
    const messages = `/channels/${textChannelId}/messages`;
    const { body: sent } = await call("POST", messages, { content: "Mate" });
    const reaction = `${messages}/${sent.id}/reactions/${encodeURIComponent("👍")}`;
    await call("PUT", `${reaction}/@me`);
    expect((await call("GET", `${reaction}?type=0`)).body).toHaveLength(1);
    expect((await call("GET", `${reaction}?type=1`)).body).toEqual([]);
  });
});
