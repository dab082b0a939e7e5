import { postMessage, waitUntil } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { createDiscordStage, type DiscordStage, everyPermission, png, snowflake } from "./discord-stage.js";

let stage: DiscordStage;
beforeAll(async () => {
  stage = await createDiscordStage({ permissions: everyPermission });
});

describe("other parts of servers over Discord's API", () => {
  test("custom emoji are made, written, reacted with and deleted", async () => {
    const { call, guildId, textChannelId } = stage;
    const emoji = (await call("POST", `/guilds/${guildId}/emojis`, { name: "Par_ty", image: png })).body;
    expect(emoji).toMatchObject({ name: "par_ty", animated: false });
    const content = `<:${emoji.name}:${emoji.id}> hi`;
    const sent = (await call("POST", `/channels/${textChannelId}/messages`, { content })).body;
    expect(sent.content).toBe(content);
    const message = `/channels/${textChannelId}/messages/${sent.id}`;
    const reaction = `${message}/reactions/${encodeURIComponent(`${emoji.name}:${emoji.id}`)}`;
    expect((await call("PUT", `${reaction}/@me`)).status).toBe(204);
    expect((await call("GET", message)).body.reactions).toMatchObject([
      { count: 1, me: true, emoji: { id: emoji.id } },
    ]);
    expect((await call("DELETE", reaction)).status).toBe(204);
    expect((await call("GET", message)).body).not.toHaveProperty("reactions");
    expect((await call("DELETE", `/guilds/${guildId}/emojis/${emoji.id}`)).status).toBe(204);
    expect(await call("GET", `/guilds/${guildId}/emojis/${emoji.id}`)).toMatchObject({
      status: 404,
      body: { code: 10014 },
    });
  });

  test("invites are made, read and taken back", async () => {
    const { call, guildId, textChannelId } = stage;
    const invite = (await call("POST", `/channels/${textChannelId}/invites`, { max_age: 3_600, max_uses: 2 })).body;
    expect(invite).toMatchObject({
      max_age: 3_600,
      max_uses: 2,
      uses: 0,
      guild: { id: guildId },
      channel: { id: textChannelId },
    });
    expect((await call("GET", `/guilds/${guildId}/invites`)).body).toMatchObject([
      { code: invite.code, channel: { id: textChannelId } },
    ]);
    expect((await call("GET", `/invites/${invite.code}`)).body).toMatchObject({
      code: invite.code,
      guild: { id: guildId },
    });
    expect((await call("DELETE", `/invites/${invite.code}`)).status).toBe(200);
    expect(await call("GET", `/invites/${invite.code}`)).toMatchObject({ status: 404, body: { code: 10006 } });
  });

  test("a webhook posts with its token alone", async () => {
    const { call, callOpen, textChannelId, memberId, applicationId, stack } = stage;
    const hook = (await call("POST", `/channels/${textChannelId}/webhooks`, { name: "Builds" })).body;
    expect(hook).toMatchObject({ type: 1, name: "Builds", channel_id: textChannelId, application_id: applicationId });
    expect(hook.token).toMatch(/^[\w-]{64,}$/);
    const path = `/webhooks/${hook.id}/${hook.token}`;
    const posted = await callOpen("POST", `${path}?wait=true`, { content: `done <@${memberId}>`, username: "Captain" });
    expect((await callOpen("POST", `${path}?wait=1`, { content: "as a number" })).status).toBe(200);
    expect(posted.body).toMatchObject({
      content: `done <@${memberId}>`,
      webhook_id: hook.id,
      author: { username: "Captain" },
    });
    expect((await callOpen("POST", path, { content: "quiet" })).status).toBe(204);
    const asSlack = { method: "POST", headers: { "content-type": "application/json" }, body: '{"text":"from Slack"}' };
    const answered = await fetch(`${stack.edgeUrl}/discord/api/v10${path}/slack`, asSlack);
    expect([answered.status, await answered.text()]).toEqual([200, "ok"]);
    for (const key of ["components", "poll"]) {
      const poll = {
        question: { text: "Q?" },
        answers: [{ poll_media: { text: "a" } }, { poll_media: { text: "b" } }],
      };
      const part =
        key === "poll" ? poll : [{ type: 1, components: [{ type: 2, style: 1, label: "Go", custom_id: "go" }] }];
      expect(await callOpen("POST", path, { content: "x", [key]: part })).toMatchObject({
        status: 400,
        body: { code: 50035, errors: { [key]: { _errors: [{ code: "UNSUPPORTED" }] } } },
      });
    }
    expect((await callOpen("GET", path)).body).toMatchObject({ id: hook.id, token: hook.token });
    const wrong = `/webhooks/${hook.id}/${"0".repeat(64)}`;
    expect(await callOpen("POST", wrong, { content: "x" })).toMatchObject({ status: 401, body: { code: 50027 } });
    expect((await call("PATCH", `/webhooks/${hook.id}`, { name: "Nightly" })).body).toMatchObject({ name: "Nightly" });
    expect((await call("DELETE", `/webhooks/${hook.id}`)).status).toBe(204);
    expect(await call("GET", `/webhooks/${hook.id}`)).toMatchObject({ status: 404, body: { code: 10015 } });
  });

  test("a webhook's messages are read, edited and deleted with its token alone, and so is the webhook", async () => {
    const { call, callOpen, member, channelId, textChannelId } = stage;
    const hook = (await call("POST", `/channels/${textChannelId}/webhooks`, { name: "Board" })).body;
    const path = `/webhooks/${hook.id}/${hook.token}`;
    const { id } = (await callOpen("POST", `${path}?wait=true`, { content: "1 online" })).body;
    const edited = await callOpen("PATCH", `${path}/messages/${id}`, {
      content: "2 online",
      embeds: [{ title: "Now" }],
    });
    expect(edited.body).toMatchObject({ id, content: "2 online", embeds: [{ title: "Now" }], webhook_id: hook.id });
    expect((await callOpen("GET", `${path}/messages/${id}`)).body).toMatchObject({ content: "2 online" });
    const foreign = await postMessage(member, channelId, "not the webhook's");
    const wrong = { status: 404, body: { code: 10008 } };
    expect(await callOpen("PATCH", `${path}/messages/${snowflake(foreign.id)}`, { content: "x" })).toMatchObject(wrong);
    const forged = `/webhooks/${hook.id}/${"0".repeat(64)}/messages/${id}`;
    expect(await callOpen("DELETE", forged)).toMatchObject({ status: 401, body: { code: 50027 } });
    expect((await callOpen("DELETE", `${path}/messages/${id}`)).status).toBe(204);
    await waitUntil(async () => (await callOpen("GET", `${path}/messages/${id}`)).status === 404, { what: "its end" });
    await waitUntil(async () => (await callOpen("PATCH", path, { name: "Sign" })).body.name === "Sign", {
      what: "a name",
    });
    await waitUntil(async () => (await callOpen("DELETE", path)).status === 204, { what: "the end of the webhook" });
    expect(await call("GET", `/webhooks/${hook.id}`)).toMatchObject({ status: 404, body: { code: 10015 } });
  });

  test("what there is not is an empty list, or its code", async () => {
    const { call, guildId } = stage;
    for (const list of ["scheduled-events", "stickers", "auto-moderation/rules", "integrations"]) {
      expect(await call("GET", `/guilds/${guildId}/${list}`)).toMatchObject({ status: 200, body: [] });
    }
    expect(await call("GET", `/guilds/${guildId}/scheduled-events/1`)).toMatchObject({
      status: 404,
      body: { code: 10070 },
    });
    expect(await call("GET", `/guilds/${guildId}/voice-states/@me`)).toMatchObject({
      status: 404,
      body: { code: 10065 },
    });
    expect(await call("GET", `/guilds/${guildId}/widget.json`)).toMatchObject({ status: 404, body: { code: 50004 } });
    expect(await call("GET", `/guilds/${guildId}/stickers/1`)).toMatchObject({ status: 404, body: { code: 10060 } });
    expect(await call("GET", `/guilds/${guildId}/audit-logs`)).toMatchObject({ status: 403, body: { code: 50013 } });
  });

  test("a bot mutes, moves and disconnects a member in voice", async () => {
    const { call, guildId, serverId, owner, member, memberId } = stage;
    const [lounge, stand] = await Promise.all(
      ["Lounge", "Stand"].map(
        async (name) =>
          (await owner.post(`/servers/${serverId}/channels`, { name, type: "voice" })).body as { id: string },
      ),
    );
    const path = `/guilds/${guildId}/members/${memberId}`;
    const change = (body: object) => call("PATCH", path, body);
    expect(await change({ channel_id: null })).toMatchObject({ status: 400, body: { code: 40032 } });
    await member.post(`/channels/${lounge?.id}/voice`, {});
    expect((await change({ mute: true })).body).toMatchObject({ mute: true, deaf: false, user: { id: memberId } });
    const state = `/guilds/${guildId}/voice-states/${memberId}`;
    expect((await call("GET", state)).body).toMatchObject({ channel_id: snowflake(lounge?.id ?? ""), mute: true });
    const moved = await change({ channel_id: snowflake(stand?.id ?? ""), mute: false });
    expect(moved).toMatchObject({ status: 200, body: { mute: false } });
    expect((await call("GET", state)).body).toMatchObject({ channel_id: snowflake(stand?.id ?? ""), mute: false });
    expect(await change({ channel_id: "1" })).toMatchObject({ status: 404, body: { code: 10003 } });
    expect((await change({ channel_id: null })).status).toBe(200);
    expect(await call("GET", state)).toMatchObject({ status: 404, body: { code: 10065 } });
  });

  test("pictures are where libraries look for them, and the page says what to change", async () => {
    const { call, stack } = stage;
    const { id, avatar } = (await call("PATCH", "/users/@me", { avatar: png })).body;
    expect(avatar).toMatch(/^[0-9a-f]{32}$/);
    const picture = await fetch(`${stack.edgeUrl}/discord/cdn/avatars/${id}/${avatar}.webp?size=64`);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/webp"]);
    const page = await fetch(`${stack.edgeUrl}/discord`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(`${stack.edgeUrl}/discord/api`)]);
  });
});
