import type { ListedEvent } from "@parley/contracts";
import { postMessage, waitUntil } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { faultsOf } from "./discord-shapes.js";
import { createDiscordStage, type DiscordStage, everyPermission, snowflake } from "./discord-stage.js";

let stage: DiscordStage;
beforeAll(async () => {
  stage = await createDiscordStage();
});

const error = (status: number, code: number) => ({ status, body: expect.objectContaining({ code }) });

/** A time to come as Discord writes it. */
const timeIn = (ms: number) => new Date(Date.now() + ms).toISOString().replace("Z", "+00:00");

describe("servers over Discord's API", () => {
  test("a bot reads itself, its application, people and its servers", async () => {
    const { call, applicationId, memberId, guildId, serverId, member, owner, bot } = stage;
    expect(await call("GET", "/users/@me")).toMatchObject({ status: 200, body: { id: applicationId, bot: true } });
    expect((await call("GET", `/users/${memberId}`)).body).toMatchObject({
      id: memberId,
      username: member.username,
      discriminator: "0",
    });
    expect(await call("GET", "/users/123456789")).toMatchObject(error(404, 10013));
    const application = (await call("GET", "/applications/@me")).body;
    expect([application.id, application.flags]).toEqual([applicationId, (1 << 12) | (1 << 14) | (1 << 18)]);
    const [own] = (await call("GET", "/users/@me/guilds")).body;
    expect(own).toMatchObject({ id: guildId, owner: false });
    const named = [17, 26, 27, 7];
    const held = (bits: string) => named.filter((bit) => (BigInt(bits) >> BigInt(bit)) & 1n);
    expect(held(own.permissions)).toEqual([17, 26, 27]);
    const clerk = await owner.post(`/servers/${serverId}/roles`, { name: "Clerk", rights: ["view_audit_log"] });
    await owner.put(`/servers/${serverId}/members/${bot.userId}/roles/${(clerk.body as { id: string }).id}`);
    expect(held((await call("GET", "/users/@me/guilds")).body[0].permissions)).toEqual(named);
    const guild = (await call("GET", `/guilds/${guildId}?with_counts=true`)).body;
    expect(guild).toMatchObject({ id: guildId, features: expect.any(Array), approximate_member_count: 3 });
    expect(guild.roles[0]).toMatchObject({ id: guildId, name: "@everyone", position: 0 });
    expect((await call("GET", `/guilds/${guildId}/preview`)).body).toMatchObject({ id: guildId, emojis: [] });
    expect(await call("GET", "/guilds/1")).toMatchObject(error(404, 10004));
  });

  test("channels are made, changed and deleted with their overwrites", async () => {
    const { call, guildId, memberId, applicationId } = stage;
    const permission_overwrites = [
      { id: guildId, type: 0, allow: "0", deny: "1024" },
      { id: applicationId, type: 1, allow: "1024", deny: "0" },
    ];
    const made = await call("POST", `/guilds/${guildId}/channels`, {
      name: "plans",
      topic: "T",
      permission_overwrites,
    });
    expect(made).toMatchObject({ status: 201, body: { name: "plans", type: 0, topic: "T", guild_id: guildId } });
    const { id } = made.body;
    const changed = await call("PATCH", `/channels/${id}`, { name: "ideas", rate_limit_per_user: 5 });
    expect(changed.body).toMatchObject({ name: "ideas", rate_limit_per_user: 5 });
    expect(changed.body.permission_overwrites).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: guildId, type: 0, allow: "0" })]),
    );
    const path = `/channels/${id}/permissions/${memberId}`;
    expect((await call("PUT", path, { type: 1, allow: "0", deny: "2048" })).status).toBe(204);
    expect((await call("DELETE", path)).status).toBe(204);
    expect(await call("DELETE", path)).toMatchObject(error(404, 10009));
    expect(
      (await call("GET", `/guilds/${guildId}/channels`)).body.map((channel: { id: string }) => channel.id),
    ).toContain(id);
    expect(await call("PATCH", `/channels/${id}`, { rate_limit_per_user: -4 })).toMatchObject({
      status: 400,
      body: { code: 50035, errors: { rate_limit_per_user: { _errors: [{ code: "NUMBER_TYPE_MIN" }] } } },
    });
    expect((await call("DELETE", `/channels/${id}`)).body).toMatchObject({ id });
    expect(await call("GET", `/channels/${id}`)).toMatchObject(error(404, 10003));
  });

  test("roles are made, given, changed and deleted", async () => {
    const { call, guildId, memberId } = stage;
    const roles = `/guilds/${guildId}/roles`;
    const made = (await call("POST", roles, { name: "Guests", permissions: "1024", color: 255 })).body;
    expect(made).toMatchObject({ name: "Guests", color: 255, managed: false });
    const given = `/guilds/${guildId}/members/${memberId}`;
    expect((await call("PUT", `${given}/roles/${made.id}`)).status).toBe(204);
    expect((await call("GET", given)).body.roles).toEqual([made.id]);
    // A value that equals the last answer changes nothing.
    const again = await call("PATCH", `${roles}/${made.id}`, { permissions: made.permissions, name: "Friends" });
    expect(again.body).toMatchObject({ name: "Friends", permissions: made.permissions });
    expect((await call("PATCH", `${roles}/${made.id}`, { color: 0 })).body).toMatchObject({
      name: "Friends",
      color: 0,
    });
    expect((await call("PATCH", given, { roles: [] })).body.roles).toEqual([]);
    expect((await call("DELETE", `${roles}/${made.id}`)).status).toBe(204);
    expect(await call("GET", `${roles}/${made.id}`)).toMatchObject(error(404, 10011));
  });

  test("members are listed, found, named, timed out and banned", async () => {
    const { call, guildId, memberId, member } = stage;
    const base = `/guilds/${guildId}/members`;
    expect((await call("GET", `${base}?limit=10`)).body).toHaveLength(3);
    const found = await call("GET", `${base}/search?query=${member.username.slice(0, 8)}&limit=5`);
    expect(found.body.map(({ user }: { user: { id: string } }) => user.id)).toContain(memberId);
    const until = new Date(Date.now() + 600_000).toISOString();
    const changed = await call("PATCH", `${base}/${memberId}`, { nick: "Nick", communication_disabled_until: until });
    expect(changed.body).toMatchObject({ nick: "Nick", communication_disabled_until: expect.any(String) });
    expect((await call("PATCH", `${base}/@me`, { nick: "Me" })).body).toMatchObject({ nick: "Me" });
    expect(await call("DELETE", `/guilds/${guildId}/bans/${memberId}`)).toMatchObject(error(404, 10026));
    const reason = { "x-audit-log-reason": encodeURIComponent("späm") };
    expect((await call("PUT", `/guilds/${guildId}/bans/${memberId}`, {}, reason)).status).toBe(204);
    expect((await call("GET", `/guilds/${guildId}/bans`)).body).toMatchObject([
      { reason: "späm", user: { id: memberId } },
    ]);
    expect(await call("GET", `${base}/${memberId}`)).toMatchObject(error(404, 10007));
    expect((await call("DELETE", `/guilds/${guildId}/bans/${memberId}`)).status).toBe(204);
  });

  test("answers carry the headers by which libraries pace themselves", async () => {
    // Also those that need no call of the api, and refusals.
    const channel = `/channels/${stage.textChannelId}`;
    const answers = [
      await stage.call("GET", "/users/@me"),
      await stage.call("GET", "/voice/regions"),
      await stage.call("GET", "/channels/1"),
      await stage.call("POST", `${channel}/messages`, { embeds: 5 }),
      await stage.call("POST", `${channel}/messages/bulk-delete`, { messages: [] }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 400, 400]);
    for (const { headers } of answers) {
      expect(Number(headers.get("x-ratelimit-limit"))).toBeGreaterThan(0);
      expect(headers.get("x-ratelimit-bucket")).toMatch(/^[0-9a-f]{32}$/);
      expect(Number(headers.get("x-ratelimit-reset-after"))).toBeGreaterThanOrEqual(0);
    }
  });

  test("members are counted by role, and nobody is pruned", async () => {
    const { call, owner, serverId, member, guildId } = await createDiscordStage();
    const role = (await owner.post(`/servers/${serverId}/roles`, { name: "Players" })).body as { id: string };
    await owner.put(`/servers/${serverId}/members/${member.user.id}/roles/${role.id}`);
    const counts = await call("GET", `/guilds/${guildId}/roles/member-counts`);
    expect(counts).toMatchObject({ status: 200, body: { [snowflake(role.id)]: 1 } });
    expect(counts.body).not.toHaveProperty(guildId);
    expect(await call("GET", `/guilds/${guildId}/prune?days=7`)).toMatchObject({ status: 200, body: { pruned: 0 } });
    const quietly = await call("POST", `/guilds/${guildId}/prune`, { days: 7, compute_prune_count: false });
    expect(quietly).toMatchObject({ status: 200, body: { pruned: null } });
    const weak = await createDiscordStage({ permissions: 3 });
    expect(await weak.call("GET", `/guilds/${weak.guildId}/prune`)).toMatchObject({
      status: 403,
      body: { code: 50013 },
    });
  });

  test("messages are found by their words", async () => {
    const { call, guildId, textChannelId, memberId, member, channelId } = await createDiscordStage();
    const sent = await postMessage(member, channelId, "Zugzwang is a fine word");
    const found = async () => {
      const { body } = await call("GET", `/guilds/${guildId}/messages/search?content=zugzwang&limit=5`);
      return body.total_results === 0 ? undefined : body;
    };
    const { messages, ...others } = await waitUntil(found, { what: "the message" });
    expect(others).toEqual({ doing_deep_historical_index: false, total_results: 1 });
    expect(messages).toMatchObject([[{ id: snowflake(sent.id), channel_id: textChannelId, author: { id: memberId } }]]);
    expect(faultsOf("APIMessage", messages[0][0])).toEqual([]);
    const none = await call("GET", `/guilds/${guildId}/messages/search?content=x`);
    expect(none.body).toMatchObject({ total_results: 0, messages: [] });
  });

  test("each documented filter of the search of messages finds what passes it, and the others are refused", async () => {
    const { call, callOpen, guildId, textChannelId, memberId, member, channelId, applicationId, owner } =
      await createDiscordStage({ permissions: everyPermission });
    const word = "sicilian";
    const post = async (text: string) => snowflake((await postMessage(member, channelId, `${word} ${text}`)).id);
    const sendAs = async (body: object) => (await call("POST", `/channels/${textChannelId}/messages`, body)).body.id;
    const link = await post("https://example.org/opening");
    const mention = await post(`@${owner.username} from:me -defence "`);
    const card = await sendAs({ content: word, embeds: [{ title: "Openings" }] });
    const pinned = await post("pinned");
    expect((await call("PUT", `/channels/${textChannelId}/messages/pins/${pinned}`)).status).toBe(204);
    const webhook = (await call("POST", `/channels/${textChannelId}/webhooks`, { name: "Herald" })).body;
    expect(webhook).toMatchObject({ type: 1 });
    const posted = await callOpen("POST", `/webhooks/${webhook.id}/${webhook.token}?wait=true`, { content: word });
    const all = [posted.body.id, pinned, card, mention, link];
    const ofMember = [pinned, mention, link];
    const ownerId = snowflake(owner.user.id);
    const cases: [query: string, found: string[], total?: number][] = [
      ["", all],
      ["sort_order=asc", all.toReversed()],
      ["limit=2&offset=1", [pinned, card], 5],
      ["limit=2&offset=4&sort_order=asc", [posted.body.id], 5],
      [`author_id=${memberId}`, ofMember],
      [`author_id=${memberId}&author_id=${applicationId}`, [pinned, card, mention, link]],
      ["author_id=4194304", []],
      [`mentions[]=${ownerId}`, [mention]],
      ["author_type=user", ofMember],
      ["author_type=bot", [card]],
      ["author_type=webhook&author_type=bot", [posted.body.id, card]],
      ["author_type=-bot", [posted.body.id, ...ofMember]],
      ["has=link", [link]],
      ["has=-link&has=-embed", [posted.body.id, pinned, mention]],
      ["has=embed", [card]],
      ["has=sound", []],
      ["has=sticker", []],
      ["has=-snapshot", all],
      ["pinned=true", [pinned]],
      ["pinned=false", [posted.body.id, card, mention, link]],
      [`max_id=${card}`, [mention, link]],
      [`min_id=${card}`, [posted.body.id, pinned]],
      [`min_id=${mention}&max_id=${pinned}&sort_order=asc`, [card]],
      [`channel_id=${textChannelId}&slop=5&include_nsfw=true`, all],
    ];
    for (const [query, found, total = found.length] of cases) {
      const { status, body } = await call("GET", `/guilds/${guildId}/messages/search?content=${word}&${query}`);
      const ids = body.messages?.map(([{ id }]: [{ id: string }]) => id);
      expect([query, status, ids, body.total_results]).toEqual([query, 200, found, total]);
    }
    // Discord knows no operators: these are words.
    const words = encodeURIComponent(`${word} from:me -defence "`);
    const found = await call("GET", `/guilds/${guildId}/messages/search?content=${words}`);
    expect(found.body).toMatchObject({ total_results: 1, messages: [[{ id: mention }]] });
    const best = await call("GET", `/guilds/${guildId}/messages/search?content=${word}&sort_by=relevance`);
    expect(best.body.messages.map(([{ id }]: [{ id: string }]) => id).toSorted()).toEqual(all.toSorted());
    for (const query of ["limit=26", "offset=9976", "sort_by=size", "has=wings", "max_id=x", "embed_type=gif"]) {
      expect([query, await call("GET", `/guilds/${guildId}/messages/search?${query}`)]).toMatchObject([
        query,
        error(400, 50035),
      ]);
    }
    const elsewhere = await call("GET", `/guilds/${guildId}/messages/search?channel_id=4194304`);
    expect(elsewhere).toMatchObject(error(404, 10003));
  });

  test("a bot describes itself", async () => {
    const { call, bot, owner, applicationId } = await createDiscordStage();
    const application = await call("PATCH", "/applications/@me", { description: "Plays" });
    expect(application).toMatchObject({ status: 200, body: { id: applicationId, description: "Plays" } });
    expect((await call("PATCH", "/users/@me", { username: "Deep Thought" })).body.id).toBe(applicationId);
    expect((await call("GET", "/applications/@me")).body).toMatchObject({ name: "Deep Thought", description: "Plays" });
    expect((await owner.get(`/bots/${bot.id}`)).body).toMatchObject({ name: "Deep Thought", description: "Plays" });
    const url = { interactions_endpoint_url: "nowhere" };
    expect(await call("PATCH", "/applications/@me", url)).toMatchObject(error(400, 50035));
  });

  test("events are announced, changed and taken back", async () => {
    const { call, guildId, textChannelId } = await createDiscordStage();
    const path = `/guilds/${guildId}/scheduled-events`;
    const scheduled_start_time = timeIn(86_400_000);
    const event = (
      await call("POST", path, {
        ...{ name: "Simul", description: "Bring a clock", scheduled_start_time, entity_type: 3, privacy_level: 2 },
        entity_metadata: { location: `<#${textChannelId}>` },
      })
    ).body;
    expect(event).toMatchObject({ name: "Simul", entity_metadata: { location: `<#${textChannelId}>` }, status: 1 });
    expect(faultsOf("APIExternalGuildScheduledEvent", event)).toEqual([]);
    const changed = await call("PATCH", `${path}/${event.id}`, { name: "Grand simul" });
    expect(changed).toMatchObject({ status: 200, body: { id: event.id, name: "Grand simul", scheduled_start_time } });
    expect((await call("GET", path)).body).toMatchObject([{ id: event.id, name: "Grand simul" }]);
    expect((await call("DELETE", `${path}/${event.id}`)).status).toBe(204);
    expect(await call("PATCH", `${path}/${event.id}`, { name: "x" })).toMatchObject(error(404, 10070));
    expect(await call("POST", path, { name: "No time" })).toMatchObject(error(400, 50035));
  });

  test("events have an end, a place or a voice channel, and those who are interested", async () => {
    const { call, guildId, owner, serverId, textChannelId } = await createDiscordStage();
    const path = `/guilds/${guildId}/scheduled-events`;
    const scheduled_start_time = timeIn(86_400_000);
    const scheduled_end_time = timeIn(90_000_000);
    const times = { scheduled_start_time, scheduled_end_time, privacy_level: 2 };
    const outside = { name: "Simul", entity_type: 3, entity_metadata: { location: "Town hall" }, ...times };
    const { body: simul } = await call("POST", path, outside);
    expect(simul).toMatchObject({ ...outside, channel_id: null, user_count: 0 });
    const [listed] = (await owner.get(`/servers/${serverId}/events`)).body as ListedEvent[];
    expect(listed).toMatchObject({ place: "Town hall", ends_at: new Date(scheduled_end_time).toISOString() });

    const { body: lounge } = await call("POST", `/guilds/${guildId}/channels`, { name: "Lounge", type: 2 });
    const spoken = { name: "Analysis", entity_type: 2, channel_id: lounge.id, ...times };
    const { body: analysis } = await call("POST", path, spoken);
    expect(analysis).toMatchObject({ ...spoken, entity_metadata: null });
    expect(faultsOf("APIVoiceGuildScheduledEvent", analysis)).toEqual([]);
    const moved = { channel_id: null, entity_type: 3, entity_metadata: { location: "Library" } };
    expect((await call("PATCH", `${path}/${analysis.id}`, moved)).body).toMatchObject(moved);
    const announced = { entity_metadata: { location: `<#${textChannelId}>` } };
    expect((await call("PATCH", `${path}/${analysis.id}`, announced)).body).toMatchObject(announced);

    expect((await call("GET", `${path}/${simul.id}/users`)).body).toEqual([]);
    expect((await owner.put(`/events/${listed?.id}/interested`)).status).toBe(204);
    const user = { id: snowflake(owner.user.id) };
    const interested = [{ guild_scheduled_event_id: simul.id, user }];
    expect((await call("GET", `${path}/${simul.id}/users`)).body).toMatchObject(interested);
    expect((await call("GET", `${path}/${simul.id}/users?with_member=true`)).body).toMatchObject([
      { member: { user } },
    ]);
    const users = async (query: string) => (await call("GET", `${path}/${simul.id}/users?${query}`)).body;
    expect(await users(`after=${user.id}`)).toEqual([]);
    expect(await users(`after=${BigInt(user.id) - 1n}`)).toMatchObject(interested);
    expect(await users(`before=${BigInt(user.id) + 1n}`)).toMatchObject(interested);
    expect(await users("before=1")).toEqual([]);
    expect((await call("GET", `${path}/${simul.id}`)).body).toMatchObject({ user_count: 1 });
  });
});
