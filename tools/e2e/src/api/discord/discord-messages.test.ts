import { beforeAll, describe, expect, test } from "vitest";
import { createDiscordStage, type DiscordStage, png, snowflake } from "./discord-stage.js";

let stage: DiscordStage;
let messages: string;
beforeAll(async () => {
  stage = await createDiscordStage();
  messages = `/channels/${stage.textChannelId}/messages`;
});

const send = async (body: unknown, path = messages) => (await stage.call("POST", path, body)).body;
const contents = (list: { content: string }[]) => list.map(({ content }) => content);

describe("messages over Discord's API", () => {
  test("a bot gets its own text back, and people read names", async () => {
    const { memberId, textChannelId, owner, channelId, member } = stage;
    const content = `hi <@${memberId}>, see <#${textChannelId}>`;
    const embeds = [{ title: "Build", color: 5, fields: [{ name: "By", value: `<@${memberId}>`, inline: true }] }];
    const components = [{ type: 1, components: [{ type: 2, style: 1, label: "Go", custom_id: "go" }] }];
    const sent = await send({ content, embeds, components });
    expect(sent).toMatchObject({ content, embeds, components, mentions: [{ id: memberId }], type: 0 });
    expect((await stage.call("GET", `${messages}/${sent.id}`)).body).toMatchObject({ content, embeds });
    const [stored] = (await owner.get(`/channels/${channelId}/messages?limit=1`)).body as {
      content: string;
      mention_user_ids: string[];
    }[];
    expect(stored?.content).toMatch(new RegExp(`^hi @${member.username}, see #`));
    expect(stored?.mention_user_ids).toEqual([member.user.id]);
  });

  test("files come in forms, before or after the fields of the message", async () => {
    const form = new FormData();
    form.append("files[0]", new Blob(["hello"], { type: "text/plain" }), "a.txt");
    form.append("payload_json", JSON.stringify({ content: "file", attachments: [{ id: 0, filename: "a.txt" }] }));
    const sent = await send(form);
    expect(sent).toMatchObject({ content: "file", attachments: [{ filename: "a.txt", size: 5 }] });
    expect(await (await fetch(sent.attachments[0].url)).text()).toBe("hello");
  });

  test("snowflakes may be numbers, as languages with long ones write them", async () => {
    const asked = await send({ content: "Which move?" });
    const body = `{"content":"This one","message_reference":{"message_id":${asked.id}}}`;
    expect(await send(body)).toMatchObject({ type: 19, message_reference: { message_id: asked.id } });
  });

  test("an embed shows a file of its message, and the pictures that the CDN's addresses name", async () => {
    const form = new FormData();
    const icon_url = `https://cdn.discordapp.com/avatars/${stage.applicationId}/0123.png?size=64`;
    const other = "https://cdn.discordapp.com/avatars/1/0123.png";
    const embeds = [
      { title: "Board", image: { url: "attachment://board.png" }, author: { name: "Chess", icon_url } },
      { title: "Nobody", thumbnail: { url: other }, image: { url: "attachment://missing.png" } },
    ];
    form.append("payload_json", JSON.stringify({ embeds }));
    form.append("files[0]", new Blob([Buffer.from(png.slice(png.indexOf(",") + 1), "base64")]), "board.png");
    expect((await stage.call("PATCH", "/users/@me", { avatar: png.replace("png", "jpg") })).status).toBe(200);
    const { attachments, embeds: shown } = await send(form);
    expect(shown).toMatchObject([
      { image: { url: attachments[0].url }, author: { name: "Chess" } },
      { title: "Nobody", thumbnail: { url: other } },
    ]);
    expect(shown[0].author.icon_url).toMatch(`${stage.stack.edgeUrl}/api/`);
    expect(shown[1]).not.toHaveProperty("image");
  });

  test("history is read around every snowflake", async () => {
    const first = await send({ content: "one" });
    await send({ content: "two" });
    const third = await send({ content: "three", message_reference: { message_id: first.id } });
    expect(third).toMatchObject({ type: 19, referenced_message: { id: first.id, content: "one" } });
    const list = async (query: string) => contents((await stage.call("GET", `${messages}?${query}`)).body);
    expect(await list(`limit=2&before=${third.id}`)).toEqual(["two", "one"]);
    expect(await list(`limit=2&after=${first.id}`)).toEqual(["three", "two"]);
    expect(await list(`limit=2&after=${BigInt(first.id) + 1n}`)).toEqual(["three", "two"]);
    expect((await list(`limit=3&around=${first.id}`)).slice(0, 2)).toEqual(["two", "one"]);
    expect(await list(`limit=1&around=${third.id}`)).toEqual(["three"]);
    expect(await list(`limit=2&around=${third.id}`)).toEqual(["three", "two"]);
    expect(await list(`limit=1&before=${BigInt(third.id) + (1n << 40n)}`)).toEqual(["three"]);
    expect((await list("limit=100&after=0")).at(-3)).toBeDefined();
  });

  test("allowed_mentions keeps quiet, and the text stays", async () => {
    const { memberId, member, owner, channelId } = stage;
    const content = `<@${memberId}> @everyone`;
    expect(await send({ content, allowed_mentions: { parse: [] } })).toMatchObject({
      content,
      mentions: [],
      mention_everyone: false,
    });
    const [stored] = (await owner.get(`/channels/${channelId}/messages?limit=1`)).body as {
      mention_user_ids: string[];
    }[];
    expect(stored?.mention_user_ids).toEqual([]);
    const plain = { content: `@${member.username}, hello`, embeds: [{ description: `of @${member.username}` }] };
    expect(await send(plain)).toMatchObject({ ...plain, mentions: [] });
  });

  test("a nonce that is enforced makes one message", async () => {
    const body = { content: "once", nonce: 7, enforce_nonce: true };
    const [one, two] = [await send(body), await send(body)];
    expect([one.nonce, two.id]).toEqual([7, one.id]);
  });

  test("messages are edited, reacted to, pinned, polled and deleted", async () => {
    const { call } = stage;
    const { id } = await send({ content: "draft" });
    expect((await call("PATCH", `${messages}/${id}`, { content: "final" })).body).toMatchObject({
      content: "final",
      edited_timestamp: expect.any(String),
    });
    const empty = { status: 400, body: { code: 50006 } };
    expect(await call("PATCH", `${messages}/${id}`, { content: "" })).toMatchObject(empty);
    const card = await send({ embeds: [{ title: "Only" }] });
    expect(await call("PATCH", `${messages}/${card.id}`, { embeds: [] })).toMatchObject(empty);
    expect((await call("PATCH", `${messages}/${card.id}`, { content: "Text", embeds: [] })).status).toBe(200);
    const reaction = `${messages}/${id}/reactions/${encodeURIComponent("👍")}`;
    expect((await call("PUT", `${reaction}/@me`)).status).toBe(204);
    expect((await call("GET", reaction)).body).toMatchObject([{ id: stage.applicationId }]);
    expect(await call("PUT", `${messages}/${id}/reactions/x:123/@me`)).toMatchObject({
      status: 400,
      body: { code: 10014 },
    });
    expect((await call("PUT", `/channels/${stage.textChannelId}/pins/${id}`)).status).toBe(204);
    expect((await call("GET", `/channels/${stage.textChannelId}/pins`)).body).toMatchObject([{ id, pinned: true }]);
    expect((await call("GET", `${messages}/pins`)).body).toMatchObject({
      has_more: false,
      items: [{ message: { id } }],
    });
    expect((await call("DELETE", `${messages}/pins/${id}`)).status).toBe(204);
    const poll = { question: { text: "Q?" }, answers: [{ poll_media: { text: "a" } }, { poll_media: { text: "b" } }] };
    expect(await send({ poll })).toMatchObject({
      content: "",
      poll: { ...poll, answers: [{ answer_id: 1 }, { answer_id: 2 }] },
    });
    const [one, two] = [await send({ content: "x" }), await send({ content: "y" })];
    expect((await call("POST", `${messages}/bulk-delete`, { messages: [one.id, two.id] })).status).toBe(204);
    expect(await call("POST", `${messages}/bulk-delete`, { messages: [one.id] })).toMatchObject({
      status: 400,
      body: { code: 50016 },
    });
    expect((await call("DELETE", `${messages}/${id}`)).status).toBe(204);
    expect(await call("GET", `${messages}/${id}`)).toMatchObject({ status: 404, body: { code: 10008 } });
  });

  test.each([
    [{ components: [{ type: 12, items: [null] }] }, ["components", "0", "items", "0"]],
    [{ components: [{ type: 12, items: [{ media: { url: 1 } }] }] }, ["components", "0", "items", "0", "media", "url"]],
    [{ components: [{ type: 17, accent_color: -1 }], flags: 32_768 }, ["components", "0", "accent_color"]],
    [{ components: [{ type: 9, accessory: 5 }], flags: 32_768 }, ["components", "0", "accessory"]],
    [
      { components: [{ type: 1, components: [{ type: 3, custom_id: "a", options: "b" }] }] },
      ["components", "0", "components", "0", "options"],
    ],
  ])("a component of the wrong form is a fault of its place: %j", async (message, path) => {
    const { status, body } = await stage.call("POST", messages, message);
    expect([status, body.code]).toEqual([400, 50035]);
    const fault = path.reduce((tree, key) => tree?.[key], body.errors);
    expect(fault?._errors).toHaveLength(1);
  });

  test("faults are named where they are", async () => {
    expect(await stage.call("POST", messages, {})).toMatchObject({ status: 400, body: { code: 50006 } });
    expect(await stage.call("POST", messages, { embeds: [{ title: "x".repeat(300) }] })).toMatchObject({
      status: 400,
      body: { code: 50035, message: "Invalid Form Body", errors: { embeds: { 0: { title: { _errors: [{}] } } } } },
    });
  });

  test("roles are mentioned as far as the bot allows it, and people who are there as everybody", async () => {
    const { call, guildId } = stage;
    const role = (await call("POST", `/guilds/${guildId}/roles`, { name: "Night mods", mentionable: true })).body;
    expect(role.mentionable).toBe(true);
    const changed = (await call("PATCH", `/guilds/${guildId}/roles/${role.id}`, { mentionable: false })).body;
    expect(changed.mentionable).toBe(false);
    await call("PATCH", `/guilds/${guildId}/roles/${role.id}`, { mentionable: true });
    const content = `Wake up, <@&${role.id}>`;
    expect(await send({ content })).toMatchObject({ content, mention_roles: [role.id], mention_everyone: false });
    for (const allowed_mentions of [{ parse: [] }, { parse: ["users"], roles: [] }]) {
      expect(await send({ content, allowed_mentions })).toMatchObject({ content, mention_roles: [] });
    }
    const named = { parse: [], roles: [role.id] };
    expect(await send({ content, allowed_mentions: named })).toMatchObject({ mention_roles: [role.id] });
    expect(await send({ content: "@here, look" })).toMatchObject({ content: "@here, look", mention_everyone: true });
  });

  test("a thread is a channel of its own", async () => {
    const { call, guildId } = stage;
    const root = await send({ content: "Plans" });
    const thread = await call("POST", `${messages}/${root.id}/threads`, { name: "Plans" });
    expect(thread).toMatchObject({
      status: 201,
      body: { id: root.id, type: 11, parent_id: stage.textChannelId, name: "Plans" },
    });
    const exists = { status: 400, body: { code: 160004 } };
    expect(await call("POST", `${messages}/${root.id}/threads`, { name: "Others" })).toMatchObject(exists);
    const replies = `/channels/${root.id}/messages`;
    await send({ content: "first" }, replies);
    expect(await send({ content: "second" }, replies)).toMatchObject({ channel_id: root.id });
    expect(contents((await call("GET", `${replies}?limit=1`)).body)).toEqual(["second"]);
    expect((await call("GET", `/guilds/${guildId}/threads/active`)).body.threads).toMatchObject([
      { id: root.id, message_count: 2 },
    ]);
    expect(await call("POST", `${messages}/${root.id}/threads`, { name: "Plans" })).toMatchObject(exists);
  });

  test("a thread has the name that it was started with, and is archived and locked as a whole", async () => {
    const { call, guildId, member } = stage;
    const root = await send({ content: "Where do we eat?" });
    const path = `/channels/${root.id}`;
    expect((await call("POST", `${messages}/${root.id}/threads`, { name: "Lunch" })).body).toMatchObject({
      name: "Lunch",
    });
    expect((await call("GET", path)).body).toMatchObject({ name: "Lunch" });
    expect((await call("PATCH", path, { name: "Dinner" })).body).toMatchObject({ name: "Dinner" });
    await send({ content: "At six" }, `${path}/messages`);
    const inList = async (list: string, id: string) =>
      (await call("GET", list)).body.threads.find((thread: { id: string }) => thread.id === id);
    expect(await inList(`/guilds/${guildId}/threads/active`, root.id)).toMatchObject({
      name: "Dinner",
      thread_metadata: { archived: false, locked: false },
    });
    const closed = { thread_metadata: { archived: true, locked: true } };
    expect((await call("PATCH", path, { archived: true })).body).toMatchObject({ name: "Dinner", ...closed });
    expect(await inList(`/guilds/${guildId}/threads/active`, root.id)).toBeUndefined();
    const archived = `/channels/${stage.textChannelId}/threads/archived/public`;
    expect(await inList(archived, root.id)).toMatchObject(closed);
    const read = (await call("GET", `${messages}/${root.id}`)).body;
    expect(read.thread).toMatchObject({ name: "Dinner", ...closed });
    const time = encodeURIComponent(read.thread.thread_metadata.archive_timestamp);
    expect((await call("GET", `${archived}?before=${time}`)).body).toMatchObject({ threads: [], has_more: false });
    expect((await call("GET", `${archived}?before=soon`)).body).toMatchObject({ code: 50035 });
    const [own] = (await member.get(`/channels/${stage.channelId}/messages?limit=1`)).body as { id: string }[];
    const thread = `/channels/${stage.channelId}/messages/${own?.id}/thread`;
    expect((await member.post(thread, { content: "No" })).status).toBe(403);
    expect((await call("PATCH", path, { locked: false })).body).toMatchObject({
      thread_metadata: { archived: false, locked: false },
    });
    expect(await inList(archived, root.id)).toBeUndefined();
  });

  test("people have their display name, as authors and where they are mentioned", async () => {
    const { call, member, memberId, guildId } = stage;
    await member.patch("/users/@me", { display_name: "Ann of Bergen" });
    const named = { username: member.user.username, global_name: "Ann of Bergen" };
    expect((await send({ content: `<@${memberId}>` })).mentions).toMatchObject([named]);
    expect((await call("GET", `/guilds/${guildId}/members/${memberId}`)).body.user).toMatchObject(named);
    expect((await call("GET", `/users/${memberId}`)).body).toMatchObject(named);
  });

  test("a message is forwarded to another place", async () => {
    const { call, guildId, memberId, textChannelId } = stage;
    const { id } = await send({ content: "Look at this" });
    const from = { type: 1, message_id: id, channel_id: textChannelId, guild_id: guildId };
    const other = (await call("POST", `/guilds/${guildId}/channels`, { name: "elsewhere" })).body;
    const direct = (await call("POST", "/users/@me/channels", { recipient_id: memberId })).body;
    for (const place of [other, direct]) {
      const sent = await send({ message_reference: from }, `/channels/${place.id}/messages`);
      expect(sent).toMatchObject({ channel_id: place.id, content: "Look at this" });
    }
    const gone = { message_reference: { ...from, message_id: "1" } };
    expect(await call("POST", messages, gone)).toMatchObject({ status: 404, body: { code: 10008 } });
  });

  test("people are written to directly", async () => {
    const { call, memberId, member } = stage;
    const channel = (await call("POST", "/users/@me/channels", { recipient_id: memberId })).body;
    expect(channel).toMatchObject({ type: 1, recipients: [{ id: memberId }] });
    const sent = await send({ content: `hello <@${memberId}>` }, `/channels/${channel.id}/messages`);
    expect(sent).toMatchObject({ content: `hello <@${memberId}>`, channel_id: channel.id });
    const [dm] = (await member.get("/dm-channels")).body as { id: string }[];
    expect(snowflake(dm?.id ?? "")).toBe(channel.id);
  });
});
