import { once } from "node:events";
import { postMessage, type StackWithDiscord, sharedStackWithDiscord, waitUntil } from "@parley/testing";
import { Client, type Guild, type Interaction, type Message } from "discord.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AppStage, createAppStage, use } from "../stages/app-stage.js";
import { allIntents, snowflake } from "./discord-socket.js";

let stack: StackWithDiscord;
let stage: AppStage;
let client: Client<true>;

beforeAll(async () => {
  stack = await sharedStackWithDiscord();
  stage = await createAppStage(stack.edgeUrl, [{ name: "play", description: "Play", options: [] }]);
  // The one option that a bot of Discord changes.
  const made = new Client({ intents: allIntents, rest: { api: `${stack.edgeUrl}/discord/api` } });
  const ready = once(made, "clientReady");
  await made.login(stage.bot.token);
  await ready;
  client = made as Client<true>;
});
afterAll(() => client?.destroy());

const guild = (): Guild => client.guilds.cache.get(snowflake(stage.serverId)) as Guild;

describe("an unmodified discord.js", () => {
  test("knows itself, its server, channels and roles once it is ready", () => {
    expect([client.user.id, client.application.id]).toEqual(Array(2).fill(snowflake(stage.bot.userId)));
    expect(guild().memberCount).toBe(3);
    expect(guild().channels.cache.map(({ id }) => id)).toEqual([snowflake(stage.channelId)]);
    expect(
      guild()
        .roles.cache.map(({ name }) => name)
        .sort(),
    ).toEqual(["@everyone", "Chess"]);
    expect(guild().members.me?.permissionsIn(snowflake(stage.channelId)).has("SendMessages")).toBe(true);
  });

  test("reads messages with their author and member", async () => {
    const arrived = once(client, "messageCreate");
    const message = await postMessage(stage.member, stage.channelId, "!ping");
    const [read] = (await arrived) as [Message];
    expect([read.id, read.content, read.author.username, read.member?.id]).toEqual([
      snowflake(message.id),
      "!ping",
      stage.member.user.username,
      snowflake(stage.member.user.id),
    ]);
    const edited = once(client, "messageUpdate");
    await stage.member.patch(`/messages/${message.id}`, { content: "!pong" });
    const [before, after] = (await edited) as [Message, Message];
    expect([before.content, after.content]).toEqual(["!ping", "!pong"]);
    const deleted = once(client, "messageDelete");
    await stage.member.delete(`/messages/${message.id}`);
    expect(((await deleted) as [Message])[0].id).toBe(read.id);
  });

  test("fetches all members by the gateway", async () => {
    const members = await guild().members.fetch();
    const people = [stage.owner.user.id, stage.member.user.id, stage.bot.userId].map(snowflake);
    expect([...members.keys()].sort()).toEqual(people.sort());
  });

  test("hears of reactions, roles, channels and members", async () => {
    const message = await postMessage(stage.member, stage.channelId, "React");
    const reacted = once(client, "messageReactionAdd");
    await stage.member.put(`/channels/${stage.channelId}/messages/${message.id}/reactions/${encodeURIComponent("👍")}`);
    const [reaction, user] = (await reacted) as [{ emoji: { name: string } }, { id: string }];
    expect([reaction.emoji.name, user.id]).toEqual(["👍", snowflake(stage.member.user.id)]);

    const channelMade = once(client, "channelCreate");
    await stage.owner.post(`/servers/${stage.serverId}/channels`, { name: "openings" });
    expect(((await channelMade) as [{ name: string }])[0].name).toBe("openings");

    const roleMade = once(client, "roleCreate");
    const role = (await stage.owner.post(`/servers/${stage.serverId}/roles`, { name: "Master", color: "#ff0000" }))
      .body as {
      id: string;
    };
    expect(((await roleMade) as [{ name: string; hexColor: string }])[0]).toMatchObject({
      name: "Master",
      hexColor: "#ff0000",
    });
    const given = once(client, "guildMemberUpdate");
    await stage.owner.put(`/servers/${stage.serverId}/members/${stage.member.user.id}/roles/${role.id}`);
    const [, changed] = (await given) as [unknown, { roles: { cache: Map<string, unknown> } }];
    expect(changed.roles.cache.has(snowflake(role.id))).toBe(true);
  });

  test("reads the log of invites, overwrites and bulk deletions, over REST and as events", async () => {
    const { owner, serverId, channelId, bot } = stage;
    const role = (await owner.post(`/servers/${serverId}/roles`, { name: "Clerk", rights: ["view_audit_log"] }))
      .body as {
      id: string;
    };
    await owner.put(`/servers/${serverId}/members/${bot.userId}/roles/${role.id}`);
    const heard: number[] = [];
    client.on("guildAuditLogEntryCreate", ({ action }) => heard.push(action));
    const invite = (await owner.post(`/servers/${serverId}/invites`, {})).body as { id: string };
    await owner.delete(`/servers/${serverId}/invites/${invite.id}`);
    const put = await owner.put(`/channels/${channelId}/overrides`, { role_id: role.id, allow: 0, deny: 0 });
    await owner.delete(`/channels/${channelId}/overrides/${(put.body as { id: string }).id}`);
    const sent = [await postMessage(owner, channelId, "one"), await postMessage(owner, channelId, "two")];
    const message_ids = sent.map(({ id }) => id);
    await owner.post(`/channels/${channelId}/messages/bulk-delete`, { message_ids });
    const log = await guild().fetchAuditLogs();
    const kinds = [73, 15, 14, 42, 40];
    expect(log.entries.map(({ action }) => action).filter((action) => kinds.includes(action))).toEqual(kinds);
    await waitUntil(() => heard.includes(40) && heard.includes(42), { what: "both entries of the invite" });
  });

  test("gets commands as what its guides read", async () => {
    const { owner, member, serverId } = stage;
    const role = (await owner.post(`/servers/${serverId}/roles`, { name: "Auditor", rights: ["view_audit_log"] })).body;
    await owner.put(`/servers/${serverId}/members/${member.user.id}/roles/${(role as { id: string }).id}`);
    const asked = once(client, "interactionCreate");
    await stage.member.post(`/channels/${stage.channelId}/interactions`, use(stage, "play"));
    const [interaction] = (await asked) as [Interaction];
    expect(interaction.isChatInputCommand() && interaction.commandName).toBe("play");
    expect(interaction.user.id).toBe(snowflake(stage.member.user.id));
    expect(interaction.guild?.id).toBe(snowflake(stage.serverId));
    expect(interaction.memberPermissions?.has(["MentionEveryone", "ViewAuditLog", "ChangeNickname"])).toBe(true);
    expect(interaction.appPermissions.has(["MentionEveryone", "ChangeNickname"])).toBe(true);
    expect(interaction.appPermissions.has("ManageNicknames", false)).toBe(false);
  });
});
