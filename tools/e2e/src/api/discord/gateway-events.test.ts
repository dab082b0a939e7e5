import { postMessage } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { runSql } from "../stages/admin-stage.js";
import { connectWith } from "../stages/app-stage.js";
import { faultsOf } from "./discord-shapes.js";
import { identify } from "./discord-socket.js";
import { createDiscordStage, type DiscordStage, everyPermission, snowflake } from "./discord-stage.js";

let stage: DiscordStage;
beforeAll(async () => {
  stage = await createDiscordStage({ permissions: everyPermission });
});
type Offered = { bots: { commands: { id: string }[] }[] };
type Thing = { id?: string; channel_id?: string } | null;
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

  test("sends a message again when files are added, and keeps its files when it is edited or replied to", async () => {
    const { stack, owner, channelId, call, textChannelId } = stage;
    const bot = await connect();
    const asked = await postMessage(owner, channelId, "Which opening?");
    const form = new FormData();
    form.append("files", new Blob(["e4 c6"], { type: "text/plain" }), "caro.txt");
    await owner.send("POST", `/messages/${asked.id}/attachments`, { body: form });
    type Shown = { id: string; content: string; attachments: { id: string; filename: string; url: string }[] };
    const isAsked = ({ id, attachments }: Shown) => id === snowflake(asked.id) && attachments.length > 0;
    const added = await bot.waitFor<Shown>("MESSAGE_UPDATE", isAsked);
    expect(added).toMatchObject({ content: "Which opening?", attachments: [{ filename: "caro.txt" }] });
    expect(await (await fetch(added.attachments[0]?.url ?? "")).text()).toBe("e4 c6");
    await owner.patch(`/messages/${asked.id}`, { content: "Which defence?" });
    const edited = await bot.waitFor<Shown>("MESSAGE_UPDATE", ({ content }) => content === "Which defence?");
    expect(edited.attachments.map(({ id }) => id)).toEqual(added.attachments.map(({ id }) => id));
    const reply = { content: "Caro-Kann", message_reference: { message_id: snowflake(asked.id) } };
    await call("POST", `/channels/${textChannelId}/messages`, reply);
    type Reply = { content: string; referenced_message: Shown };
    const heard = await bot.waitFor<Reply>("MESSAGE_CREATE", ({ content }) => content === "Caro-Kann");
    expect(heard.referenced_message.attachments).toMatchObject([{ filename: "caro.txt" }]);
    expect(added.attachments[0]?.url.startsWith(stack.edgeUrl)).toBe(true);
    await bot.close();
  });

  test("sends reactions that are removed together as one", async () => {
    const { member, owner, channelId, call, textChannelId, guildId } = stage;
    const bot = await connect();
    const { id } = await postMessage(owner, channelId, "Vote");
    const own = `/channels/${channelId}/messages/${id}/reactions`;
    for (const user of [owner, member]) {
      for (const emoji of ["🎉", "👍"]) await user.put(`${own}/${encodeURIComponent(emoji)}`);
    }
    const place = { message_id: snowflake(id), channel_id: textChannelId, guild_id: guildId };
    const path = `/channels/${textChannelId}/messages/${place.message_id}/reactions`;
    expect((await call("DELETE", `${path}/${encodeURIComponent("🎉")}`)).status).toBe(204);
    const emoji = { id: null, name: "🎉" };
    expect(await bot.waitFor("MESSAGE_REACTION_REMOVE_EMOJI")).toEqual({ ...place, emoji });
    expect((await call("DELETE", path)).status).toBe(204);
    expect(await bot.waitFor("MESSAGE_REACTION_REMOVE_ALL")).toEqual(place);
    await postMessage(owner, channelId, "counted");
    await bot.waitFor("MESSAGE_CREATE", ({ content }) => content === "counted");
    expect(bot.names().filter((name) => name.startsWith("MESSAGE_REACTION_REMOVE"))).toEqual([
      "MESSAGE_REACTION_REMOVE_EMOJI",
      "MESSAGE_REACTION_REMOVE_ALL",
    ]);
    await bot.close();
  });

  test("says of reactions to a reply, its pin and its deletion that they are in its thread", async () => {
    const { owner, member, channelId, guildId, textChannelId } = stage;
    const bot = await connect();
    const root = await postMessage(member, channelId, "Castling");
    const replies: string[] = [];
    for (const content of ["Short", "Long", "Neither"]) {
      const sent = await member.post(`/channels/${channelId}/messages/${root.id}/thread`, { content });
      replies.push((sent.body as { id: string }).id);
    }
    const [first, second, third] = replies as [string, string, string];
    const place = { channel_id: snowflake(root.id), guild_id: guildId };
    const inThread = { ...place, message_id: snowflake(first) };
    const reactions = `/channels/${channelId}/messages/${first}/reactions`;
    const emoji = encodeURIComponent("👍");
    await owner.put(`${reactions}/${emoji}`);
    expect(await bot.waitFor("MESSAGE_REACTION_ADD")).toMatchObject(inThread);
    await owner.delete(`${reactions}/${emoji}`);
    expect(await bot.waitFor("MESSAGE_REACTION_REMOVE")).toMatchObject(inThread);
    await owner.put(`${reactions}/${emoji}`);
    await owner.delete(reactions);
    expect(await bot.waitFor("MESSAGE_REACTION_REMOVE_ALL")).toEqual(inThread);
    await owner.post(`/channels/${channelId}/messages/${first}/pin`);
    expect(await bot.waitFor("CHANNEL_PINS_UPDATE")).toMatchObject(place);
    await owner.delete(`/messages/${first}`);
    expect(await bot.waitFor("MESSAGE_DELETE")).toEqual({ ...place, id: snowflake(first) });
    const other = await postMessage(member, channelId, "En passant");
    const message_ids = [second, other.id, third];
    await owner.post(`/channels/${channelId}/messages/bulk-delete`, { message_ids });
    const isIn = (id: string) => (deleted: { channel_id?: string }) => deleted.channel_id === id;
    const ids = [second, third].map(snowflake);
    expect(await bot.waitFor("MESSAGE_DELETE_BULK", isIn(place.channel_id))).toEqual({ ...place, ids });
    const beside = { channel_id: textChannelId, guild_id: guildId, ids: [snowflake(other.id)] };
    expect(await bot.waitFor("MESSAGE_DELETE_BULK", isIn(textChannelId))).toEqual(beside);
    expect(bot.names()).not.toContain("THREAD_DELETE");
    await bot.close();
  });

  test("sends a thread that a bot starts before its first reply, and once", async () => {
    const { call, member, channelId, guildId, textChannelId, applicationId } = stage;
    const bot = await connect();
    const root = await postMessage(member, channelId, "Which variation?");
    const id = snowflake(root.id);
    await call("POST", `/channels/${textChannelId}/messages/${id}/threads`, { name: "Najdorf" });
    const isThread = (thread: Thing) => thread?.id === id;
    const thread = await bot.waitFor("THREAD_CREATE", isThread);
    const place = { guild_id: guildId, parent_id: textChannelId, type: 11 };
    expect(thread).toMatchObject({ ...place, id, name: "Najdorf", newly_created: true, message_count: 0 });
    await call("POST", `/channels/${id}/messages`, { content: "Six bishop g5" });
    await bot.waitFor("MESSAGE_CREATE", ({ channel_id }) => channel_id === id);
    await bot.waitFor("THREAD_UPDATE", isThread);
    expect(bot.payloads.filter(({ t, d }) => t === "THREAD_CREATE" && isThread(d as Thing))).toHaveLength(1);
    const { body } = await call("POST", `/channels/${textChannelId}/threads`, { name: "Endings", type: 11 });
    const alone = await bot.waitFor("THREAD_CREATE", (other: Thing) => other?.id === body.id);
    expect(alone).toMatchObject({ ...place, name: "Endings", owner_id: applicationId });
    await bot.close();
  });

  test("sends the new name of a thread, and its end with its message", async () => {
    const { member, channelId, guildId, textChannelId } = stage;
    const bot = await connect();
    const root = await postMessage(member, channelId, "Endgames");
    await member.post(`/channels/${channelId}/messages/${root.id}/thread`, { content: "Rook and pawn" });
    const id = snowflake(root.id);
    await bot.waitFor("MESSAGE_CREATE", ({ content }) => content === "Rook and pawn");
    expect(bot.names().slice(-2)).toEqual(["THREAD_CREATE", "MESSAGE_CREATE"]);
    expect(await bot.waitFor("THREAD_CREATE", (thread) => thread.id === id)).toMatchObject({ name: "Endgames" });
    await member.patch(`/messages/${root.id}`, { content: "Rook endgames" });
    expect(await bot.waitFor("THREAD_UPDATE")).toMatchObject({ id, name: "Rook endgames", parent_id: textChannelId });
    await member.patch(`/threads/${root.id}`, { title: "Towers", closed: true });
    const isClosed = ({ name }: { name?: string }) => name === "Towers";
    expect(await bot.waitFor("THREAD_UPDATE", isClosed)).toMatchObject({
      id,
      thread_metadata: { archived: true, locked: true },
    });
    await member.delete(`/messages/${root.id}`);
    const gone = { id, guild_id: guildId, parent_id: textChannelId, type: 11 };
    expect(await bot.waitFor("THREAD_DELETE")).toEqual(gone);
    await bot.close();
  });

  test("lists the threads that people write in, and brings back one that they left", async () => {
    const { stack, member, channelId, serverId, guildId, textChannelId } = stage;
    const roots = [await postMessage(member, channelId, "Endgames"), await postMessage(member, channelId, "Openings")];
    const [lately, old] = roots.map(({ id }) => id) as [string, string];
    await member.post(`/channels/${channelId}/messages/${lately}/thread`, { content: "Rook and pawn" });
    await runSql(
      stack.databaseUrl,
      `INSERT INTO messages (id, channel_id, server_id, author_id, content, thread_id)
        VALUES (uuidv7(make_interval(days => -8)), $1, $2, $3, 'Sicilian', $4)`,
      [channelId, serverId, member.user.id, old],
    );
    const bot = await connect();
    const guild = await bot.waitFor<{ threads: { id: string }[] }>("GUILD_CREATE");
    const listed = guild.threads.map(({ id }) => id);
    expect([listed.includes(snowflake(lately)), listed.includes(snowflake(old))]).toEqual([true, false]);
    await member.post(`/channels/${channelId}/messages/${old}/thread`, { content: "French" });
    const id = snowflake(old);
    const back = await bot.waitFor("THREAD_UPDATE", (thread) => thread.id === id);
    expect(back).toMatchObject({ name: "Openings", guild_id: guildId, parent_id: textChannelId });
    await bot.waitFor("MESSAGE_CREATE", ({ channel_id }) => channel_id === id);
    const isOfThread = (d: unknown) => [(d as Thing)?.id, (d as Thing)?.channel_id].includes(id);
    const sent = bot.payloads.flatMap(({ t, d }) => (isOfThread(d) ? [t] : []));
    expect(sent).toEqual(["THREAD_UPDATE", "MESSAGE_CREATE"]);
    await bot.close();
  });

  test("sends channels that come into the bot's sight and go out of it", async () => {
    const { owner, serverId, channelId, guildId, bot: own, stack } = await createDiscordStage();
    const bot = await identify(stack.edgeUrl, own.token);
    await bot.waitFor("GUILD_CREATE");
    const { id } = (await owner.post(`/servers/${serverId}/channels`, { name: "staff" })).body as { id: string };
    const isStaff = (channel: Record<string, unknown>) => channel.id === snowflake(id);
    expect(await bot.waitFor("CHANNEL_CREATE", isStaff)).toMatchObject({ name: "staff", guild_id: guildId });
    await owner.put(`/channels/${id}/overrides`, { role_id: serverId, allow: 0, deny: 1 });
    const gone = { id: snowflake(id), guild_id: guildId, type: 0 };
    expect(await bot.waitFor("CHANNEL_DELETE", isStaff)).toMatchObject(gone);
    const root = await postMessage(owner, id, "Plans");
    await owner.post(`/channels/${id}/messages/${root.id}/thread`, { content: "First" });
    const role = (await owner.post(`/servers/${serverId}/roles`, { name: "Staff" })).body as { id: string };
    await owner.put(`/channels/${id}/overrides`, { role_id: role.id, allow: 1, deny: 0 });
    const changes = () =>
      bot.payloads.flatMap(({ t, d }) => (/^CHANNEL_(CREATE|DELETE)$/.test(t ?? "") && isStaff(d as never) ? [t] : []));
    await owner.put(`/servers/${serverId}/members/${own.userId}/roles/${role.id}`);
    const threads = await bot.waitFor("THREAD_LIST_SYNC");
    expect(threads).toMatchObject({ guild_id: guildId, channel_ids: [gone.id], threads: [{ id: snowflake(root.id) }] });
    await owner.delete(`/servers/${serverId}/roles/${role.id}`);
    await bot.waitFor("GUILD_ROLE_DELETE");
    await postMessage(owner, channelId, "after");
    await bot.waitFor("MESSAGE_CREATE", ({ content }) => content === "after");
    expect(changes()).toEqual(["CHANNEL_CREATE", "CHANNEL_DELETE", "CHANNEL_CREATE", "CHANNEL_DELETE"]);
    await bot.close();
  });

  test("shows people, channels and rights as they are after their changes, however often it showed them before", async () => {
    const { call, owner, member, serverId, channelId, applicationId, bot: own, stack } = await createDiscordStage();
    const bot = await identify(stack.edgeUrl, own.token);
    await bot.waitFor("GUILD_CREATE");
    await call("POST", `/applications/${applicationId}/commands`, { name: "ping", description: "Answers" });
    const { bots } = (await member.get(`/channels/${channelId}/commands`)).body as Offered;
    const asked = { bot_user_id: own.userId, command_id: bots[0]?.commands[0]?.id };
    type Shown = { id: string; app_permissions: string; channel: { name: string } };
    type Said = { content: string; member: { nick: string | null } };
    /** What the bot gets of a press and a message: the channel's name, whether it may add reactions, the writer's nickname. */
    const shown = async (content: string) => {
      const { id } = (await member.post(`/channels/${channelId}/interactions`, asked)).body as { id: string };
      const pressed = await bot.waitFor<Shown>("INTERACTION_CREATE", (each) => each.id === snowflake(id));
      await postMessage(member, channelId, content);
      const said = await bot.waitFor<Said>("MESSAGE_CREATE", (each) => each.content === content);
      return [pressed.channel.name, (BigInt(pressed.app_permissions) >> 6n) & 1n, said.member.nick];
    };
    await shown("before");
    const before = await shown("once more");
    expect([before[1], before[2]]).toEqual([1n, null]);
    await member.patch(`/servers/${serverId}/members/@me`, { nickname: "Captain" });
    await bot.waitFor("GUILD_MEMBER_UPDATE", ({ nick }) => nick === "Captain");
    await owner.put(`/channels/${channelId}/overrides`, { user_id: own.userId, allow: 0, deny: 16 });
    await owner.patch(`/channels/${channelId}`, { name: "openings" });
    await bot.waitFor("CHANNEL_UPDATE", ({ name }) => name === "openings");
    expect(await shown("after")).toEqual(["openings", 0n, "Captain"]);
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
    const interest = { guild_scheduled_event_id: id, user_id: snowflake(owner.user.id), guild_id: guildId };
    await owner.put(`/events/${event.event.id}/interested`);
    expect(await bot.waitFor("GUILD_SCHEDULED_EVENT_USER_ADD")).toEqual(interest);
    await owner.delete(`/events/${event.event.id}/interested`);
    expect(await bot.waitFor("GUILD_SCHEDULED_EVENT_USER_REMOVE")).toEqual(interest);
    await owner.delete(`/events/${event.event.id}`);
    expect(await bot.waitFor("GUILD_SCHEDULED_EVENT_DELETE")).toMatchObject({ id, guild_id: guildId, status: 4 });
    await Promise.all([bot.close(), later.close()]);
  });

  test("names those who vote in a poll, and what they choose", async () => {
    const { call, member, channelId, textChannelId, guildId, memberId } = stage;
    const [bot, person] = await Promise.all([
      connect(),
      connectWith(stage.stack.edgeUrl, `token=${member.accessToken}&v=2&members=all`),
    ]);
    const poll = {
      question: { text: "Which days?" },
      answers: ["mon", "tue", "wed"].map((text) => ({ poll_media: { text } })),
      allow_multiselect: true,
    };
    const { id } = (await call("POST", `/channels/${textChannelId}/messages`, { poll })).body;
    const listed = (await member.get(`/channels/${channelId}/messages?limit=1`)).body as {
      poll: { id: string; options: { id: string }[] };
    }[];
    const { id: pollId = "", options = [] } = listed[0]?.poll ?? {};
    const [mon, tue, wed] = options.map((option) => option.id);
    const choice = (answer_id: number) => ({
      ...{ user_id: memberId, channel_id: textChannelId, message_id: id, guild_id: guildId },
      answer_id,
    });
    const votes = `/polls/${pollId}/vote`;
    await member.post(votes, { option_ids: [mon, tue] });
    await member.post(votes, { option_ids: [tue, wed] });
    const added = [1, 2, 3].map((answer) =>
      bot.waitFor("MESSAGE_POLL_VOTE_ADD", ({ answer_id }) => answer_id === answer),
    );
    expect(await Promise.all(added)).toEqual([choice(1), choice(2), choice(3)]);
    expect(await bot.waitFor("MESSAGE_POLL_VOTE_REMOVE")).toEqual(choice(1));
    const answers = `/channels/${textChannelId}/polls/${id}/answers`;
    const voters = async (number: number) =>
      (await call("GET", `${answers}/${number}`)).body.users.map((user: { id: string }) => user.id);
    expect([await voters(1), await voters(2), await voters(3), await voters(4)]).toEqual([
      [],
      [memberId],
      [memberId],
      [],
    ]);
    await member.delete(votes);
    await bot.waitFor("MESSAGE_POLL_VOTE_REMOVE", ({ answer_id }) => answer_id === 3);
    expect(await voters(2)).toEqual([]);
    const ended = await call("POST", `/channels/${textChannelId}/polls/${id}/expire`);
    expect(ended).toMatchObject({ status: 200, body: { id, poll: { results: { is_finalized: true } } } });
    await person.waitFor("POLL_END");
    expect(person.events.map(({ name }) => name)).not.toContain("POLL_VOTE_ADD");
    await Promise.all([bot.close(), person.close()]);
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
    const { owner, serverId, guildId, channelId, textChannelId, bot: own, member } = stage;
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
    const logged = (action: number) =>
      bot.waitFor("GUILD_AUDIT_LOG_ENTRY_CREATE", ({ action_type }) => action_type === action);
    const target_id = snowflake(serverId);
    await owner.patch(`/servers/${serverId}`, { name: "Chess club" });
    expect(await logged(1)).toMatchObject({ target_id, changes: [{ key: "name", new_value: "Chess club" }] });
    await owner.put(`/channels/${channelId}/overrides`, { user_id: member.user.id, allow: 16, deny: 0 });
    const options = { id: snowflake(member.user.id), type: "1" };
    expect(await logged(14)).toMatchObject({ target_id: textChannelId, options });
    await owner.patch(`/servers/${serverId}/members/${member.user.id}`, { nickname: "Rook" });
    expect(await logged(24)).toMatchObject({ changes: [{ key: "nick", new_value: "Rook" }] });
    await owner.post(`/servers/${serverId}/incoming-webhooks`, { channel_id: channelId, name: "Moves" });
    expect(await logged(50)).toMatchObject({ changes: [{ key: "name", new_value: "Moves" }] });
    const message_ids: string[] = [];
    for (const content of ["one", "two"]) message_ids.push((await postMessage(owner, channelId, content)).id);
    await owner.post(`/channels/${channelId}/messages/bulk-delete`, { message_ids });
    expect(await logged(73)).toMatchObject({ target_id: textChannelId, options: { count: "2" } });
    await owner.post(`/servers/${serverId}/members/${member.user.id}/kick`, { reason: "Late" });
    const kicked = await bot.waitFor("GUILD_AUDIT_LOG_ENTRY_CREATE", ({ action_type }) => action_type === 20);
    expect(kicked).toMatchObject({ target_id: snowflake(member.user.id), reason: "Late" });
    const { id: before } = quiet.body as { id: string };
    const heard = blind.payloads.flatMap(({ t, d }) => (t === "GUILD_AUDIT_LOG_ENTRY_CREATE" ? [d] : []));
    expect(heard).not.toContainEqual(expect.objectContaining({ target_id: snowflake(before) }));
    await Promise.all([blind.close(), bot.close()]);
  });
});
