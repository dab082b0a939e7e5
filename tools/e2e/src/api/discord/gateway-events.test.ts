import { postMessage } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { connectWith } from "../stages/app-stage.js";
import { faultsOf } from "./discord-shapes.js";
import { identify } from "./discord-socket.js";
import { createDiscordStage, type DiscordStage, everyPermission, snowflake } from "./discord-stage.js";

let stage: DiscordStage;
beforeAll(async () => {
  stage = await createDiscordStage({ permissions: everyPermission });
});
const connect = () => identify(stage.stack.edgeUrl, stage.bot.token);

describe("Discord's gateway", () => {
  test("shows a message as it is read over REST", async () => {
    const { call, textChannelId, memberId } = stage;
    const bot = await connect();
    const sent = await call("POST", `/channels/${textChannelId}/messages`, {
      content: `Quiet <@${memberId}>`,
      embeds: [{ description: `for <@${memberId}> in <#${textChannelId}>` }],
      allowed_mentions: { parse: [] },
    });
    const heard = await bot.waitFor("MESSAGE_CREATE", ({ id }) => id === sent.body.id);
    const read = (await call("GET", `/channels/${textChannelId}/messages/${sent.body.id}`)).body;
    expect(read.content).toBe(`Quiet <@${memberId}>`);
    expect(heard).toMatchObject({ content: read.content, embeds: read.embeds, mentions: read.mentions });
    await bot.close();
  });

  test("shows the message that a message replies to, and nothing of one that is gone", async () => {
    const { owner, member, channelId, textChannelId } = stage;
    const bot = await connect();
    const asked = await postMessage(member, channelId, `Whose move, @${owner.user.username}?`);
    const reply = (await owner.post(`/channels/${channelId}/messages`, { content: "Mine", reply_to: asked.id }))
      .body as { id: string };
    const heard = await bot.waitFor<{ id: string; referenced_message: object }>(
      "MESSAGE_CREATE",
      ({ id }) => id === snowflake(reply.id),
    );
    expect(heard).toMatchObject({
      type: 19,
      message_reference: { message_id: snowflake(asked.id), channel_id: textChannelId },
      referenced_message: {
        id: snowflake(asked.id),
        content: `Whose move, <@${snowflake(owner.user.id)}>?`,
        author: { id: snowflake(member.user.id) },
      },
    });
    expect(faultsOf("APIMessage", heard.referenced_message)).toEqual([]);
    await member.delete(`/messages/${asked.id}`);
    const again = (await owner.patch(`/messages/${reply.id}`, { content: "Yours" })).body as { id: string };
    const edited = await bot.waitFor("MESSAGE_UPDATE", ({ id }) => id === snowflake(again.id));
    expect(edited).toMatchObject({ content: "Yours", referenced_message: null });
    await bot.close();
  });

  test("sends the new name of a thread, and its end with its message", async () => {
    const { member, channelId, guildId, textChannelId } = stage;
    const bot = await connect();
    const root = await postMessage(member, channelId, "Endgames");
    await member.post(`/channels/${channelId}/messages/${root.id}/thread`, { content: "Rook and pawn" });
    const id = snowflake(root.id);
    expect(await bot.waitFor("THREAD_CREATE", (thread) => thread.id === id)).toMatchObject({ name: "Endgames" });
    await member.patch(`/messages/${root.id}`, { content: "Rook endgames" });
    expect(await bot.waitFor("THREAD_UPDATE")).toMatchObject({ id, name: "Rook endgames", parent_id: textChannelId });
    await member.delete(`/messages/${root.id}`);
    const gone = { id, guild_id: guildId, parent_id: textChannelId, type: 11 };
    expect(await bot.waitFor("THREAD_DELETE")).toEqual(gone);
    await bot.close();
  });

  test("sends events of invites, webhooks and scheduled events", async () => {
    const { owner, serverId, channelId, guildId, textChannelId } = stage;
    const bot = await connect();
    const invite = (await owner.post(`/servers/${serverId}/invites`, { max_uses: 3 })).body as { code: string };
    expect(await bot.waitFor("INVITE_CREATE")).toMatchObject({
      code: invite.code,
      guild_id: guildId,
      channel_id: textChannelId,
      inviter: { id: snowflake(owner.user.id) },
      ...{ max_age: 0, max_uses: 3, uses: 0 },
    });
    const [listed] = (await owner.get(`/servers/${serverId}/invites`)).body as { id: string }[];
    await owner.delete(`/servers/${serverId}/invites/${listed?.id}`);
    const gone = { guild_id: guildId, channel_id: textChannelId, code: invite.code };
    expect(await bot.waitFor("INVITE_DELETE")).toEqual(gone);
    await owner.post(`/servers/${serverId}/incoming-webhooks`, { channel_id: channelId, name: "Builds" });
    expect(await bot.waitFor("WEBHOOKS_UPDATE")).toEqual({ guild_id: guildId, channel_id: textChannelId });

    const starts_at = new Date(Date.now() + 86_400_000).toISOString();
    const body = { name: "Simul", starts_at, channel_id: channelId };
    const event = (await owner.post(`/channels/${channelId}/events`, body)).body as { event: { id: string } };
    const id = snowflake(event.event.id);
    const made = await bot.waitFor("GUILD_SCHEDULED_EVENT_CREATE");
    expect(made).toMatchObject({ id, guild_id: guildId, name: "Simul", entity_type: 3, status: 1 });
    expect(faultsOf("APIGuildScheduledEventBase", made).filter((fault) => !fault.includes("unknown"))).toEqual([]);
    const later = await connect();
    expect(await later.waitFor("GUILD_CREATE")).toMatchObject({ guild_scheduled_events: [{ id, name: "Simul" }] });
    await owner.patch(`/events/${event.event.id}`, { name: "Grand simul" });
    expect(await bot.waitFor("GUILD_SCHEDULED_EVENT_UPDATE")).toMatchObject({ id, name: "Grand simul" });
    await owner.delete(`/events/${event.event.id}`);
    expect(await bot.waitFor("GUILD_SCHEDULED_EVENT_DELETE")).toMatchObject({ id, guild_id: guildId, status: 4 });
    await Promise.all([bot.close(), later.close()]);
  });

  test("notifies people and other bots that a bot types", async () => {
    const { call, owner, bot: own, textChannelId, guildId, channelId } = stage;
    const [bot, person] = await Promise.all([
      connect(),
      connectWith(stage.stack.edgeUrl, `token=${owner.accessToken}`),
    ]);
    expect((await call("POST", `/channels/${textChannelId}/typing`)).status).toBe(204);
    const user_id = snowflake(own.userId);
    expect(await bot.waitFor("TYPING_START")).toMatchObject({ user_id, channel_id: textChannelId, guild_id: guildId });
    const heard = await person.waitFor("TYPING_START", ({ channel_id }) => channel_id === channelId);
    expect(heard.user_id).toBe(own.userId);
    await Promise.all([bot.close(), person.close()]);
  });

  test("tells of entries of the log to bots that may read it", async () => {
    const { owner, serverId, guildId, bot: own, member } = stage;
    const blind = await connect();
    const quiet = await owner.post(`/servers/${serverId}/roles`, { name: "Before" });
    await blind.waitFor("GUILD_ROLE_CREATE", ({ role }) => (role as { name: string }).name === "Before");
    const reading = await owner.post(`/servers/${serverId}/roles`, { name: "Auditors", rights: ["view_audit_log"] });
    const { id: readers } = reading.body as { id: string };
    await owner.put(`/servers/${serverId}/members/${own.userId}/roles/${readers}`);
    const bot = await connect();
    const { id } = (await owner.post(`/servers/${serverId}/roles`, { name: "Judges" })).body as { id: string };
    const entry = await bot.waitFor("GUILD_AUDIT_LOG_ENTRY_CREATE", ({ target_id }) => target_id === snowflake(id));
    expect(entry).toMatchObject({ guild_id: guildId, action_type: 30, user_id: snowflake(owner.user.id) });
    expect(faultsOf("APIAuditLogEntry", entry).filter((fault) => !fault.includes("guild_id"))).toEqual([]);
    await owner.post(`/servers/${serverId}/members/${member.user.id}/kick`, { reason: "Late" });
    const kicked = await bot.waitFor("GUILD_AUDIT_LOG_ENTRY_CREATE", ({ action_type }) => action_type === 20);
    expect(kicked).toMatchObject({ target_id: snowflake(member.user.id), reason: "Late" });
    const { id: before } = quiet.body as { id: string };
    const heard = blind.payloads.flatMap(({ t, d }) => (t === "GUILD_AUDIT_LOG_ENTRY_CREATE" ? [d] : []));
    expect(heard).not.toContainEqual(expect.objectContaining({ target_id: snowflake(before) }));
    await Promise.all([blind.close(), bot.close()]);
  });
});
