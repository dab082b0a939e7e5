import { errorBody as error, Message, permissionBits, Safety, ServerRules } from "@parley/contracts";
import {
  assignRole,
  createChannel,
  createClient,
  createRole,
  createServerWithMembers,
  joinServer,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { createBotClient, runSql } from "../stages/admin-stage.js";
import { pngPixel } from "../stages/sample-files.js";

let stack: SharedStack;
let client: RestClient;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
});

const defaults = {
  min_account_age_minutes: 0,
  min_membership_minutes: 0,
  require_verified_email: false,
  rules: null,
  rules_for_all: false,
  raid_shield: false,
  raid_joins_per_minute: 60,
  raid_new_accounts_hours: 24,
  raid_minutes: 30,
};
const newcomer = error("New members of this server cannot write yet");
const rulesFirst = error("Accept the rules of this server first");

const patchSafety = async (owner: UserClient, serverId: string, changes: object) =>
  (await owner.patch(`/servers/${serverId}/safety`, changes)).expect(200, Safety.strict());
const send = async (by: RestClient, channelId: string) => {
  const { status, body } = await by.post(`/channels/${channelId}/messages`, { content: "hello" });
  return status === 201 ? 201 : [status, body];
};
const readRules = async (by: RestClient, serverId: string) =>
  (await by.get(`/servers/${serverId}/rules`)).expect(200, ServerRules.strict());

describe("the settings", () => {
  test("are defaults until the owner changes them, each by itself, and are read by holders of manage_raids alone", async () => {
    const { owner, server, members } = await createServerWithMembers(client, 2);
    const [banner, member] = members;
    await assignRole(owner, await createRole(owner, server.id, { permissions: permissionBits.BAN_MEMBERS }), banner);
    const path = `/servers/${server.id}/safety`;
    expect((await owner.get(path)).expect(200, Safety.strict())).toEqual(defaults);
    expect(await patchSafety(owner, server.id, {})).toEqual(defaults);
    expect(await patchSafety(owner, server.id, { raid_minutes: 5 })).toEqual({ ...defaults, raid_minutes: 5 });
    const changed = { ...defaults, raid_minutes: 5, rules: "Be kind.", rules_for_all: true };
    expect(await patchSafety(owner, server.id, { rules: "Be kind.", rules_for_all: true })).toEqual(changed);
    expect((await banner.get(path)).body).toEqual(changed);
    expect((await patchSafety(owner, server.id, { rules: "" })).rules).toBeNull();

    const refused = [403, error("You lack the required permission for this action")];
    const answer = await member.get(path);
    expect([answer.status, answer.body]).toEqual(refused);
    const change = await banner.patch(path, { raid_minutes: 6 });
    expect([change.status, change.body]).toEqual([403, error("Only the server owner can update it")]);
    const stranger = await client.register();
    for (const refusal of [
      await stranger.get(path),
      await stranger.patch(path, {}),
      await stranger.get(`/servers/${server.id}/rules`),
    ])
      expect([refusal.status, refusal.body]).toEqual([404, error("Server not found")]);
  });

  test.each([
    ["min_account_age_minutes", 0, 525_600],
    ["min_membership_minutes", 0, 525_600],
    ["raid_joins_per_minute", 1, 10_000],
    ["raid_new_accounts_hours", 1, 8_760],
    ["raid_minutes", 1, 1_440],
  ])("%s is between %d and %d", async (name, min, max) => {
    const { owner, server } = await createServerWithMembers(client, 0);
    for (const value of [min, max])
      expect(await patchSafety(owner, server.id, { [name]: value })).toMatchObject({ [name]: value });
    for (const value of [min - 1, max + 1, min + 0.5, "1"]) {
      const { status, body } = await owner.patch(`/servers/${server.id}/safety`, { [name]: value });
      expect([status, body]).toEqual([400, error(`${name} must be between ${min} and ${max}`)]);
    }
  });

  test("rules have at most 4000 characters, as code points", async () => {
    const { owner, server } = await createServerWithMembers(client, 0);
    expect((await patchSafety(owner, server.id, { rules: "😀".repeat(4_000) })).rules).toHaveLength(8_000);
    const { status, body } = await owner.patch(`/servers/${server.id}/safety`, { rules: "x".repeat(4_001) });
    expect([status, body]).toEqual([400, error("rules must be at most 4000 characters")]);
  });
});

describe("who falls short", () => {
  test("reads, and is refused every way of writing, on every api from the answer on", async () => {
    const { owner, server, channel, members } = await createServerWithMembers(client, 1);
    const voice = await createChannel(owner, server.id, { type: "voice" });
    const [member] = members;
    const root = await postMessage(owner, channel.id, "root");
    const own = await postMessage(member, channel.id, "my own");
    const { poll } = (
      await owner.post(`/channels/${channel.id}/polls`, { question: "Which?", options: ["a", "b"] })
    ).expect(201, Message);
    const event = { name: "Blitz", starts_at: new Date(Date.now() + 3_600_000).toISOString() };
    const mine = (await member.post(`/channels/${channel.id}/events`, event)).expect(201, Message);
    const file = () => {
      const body = new FormData();
      body.append("files", new Blob([pngPixel]), "pixel.png");
      return { body };
    };
    const ways: Record<string, (by: RestClient) => Promise<{ status: number; body: unknown }>> = {
      message: (by) => by.post(`/channels/${channel.id}/messages`, { content: "hello" }),
      reply: (by) => by.post(`/channels/${channel.id}/messages/${root.id}/thread`, { content: "hello" }),
      poll: (by) => by.post(`/channels/${channel.id}/polls`, { question: "Which?", options: ["a", "b"] }),
      vote: (by) => by.post(`/polls/${poll?.id}/vote`, { option_id: poll?.options[0]?.id }),
      event: (by) => by.post(`/channels/${channel.id}/events`, event),
      reaction: (by) => by.put(`/channels/${channel.id}/messages/${root.id}/reactions/❌`),
      voice: (by) => by.post(`/channels/${voice.id}/voice`),
      edit: (by) => by.patch(`/messages/${own.id}`, { content: "changed" }),
      "edit of an event": (by) => by.patch(`/events/${mine.event?.id}`, { name: "Rapid" }),
      attachment: (by) => by.send("POST", `/messages/${own.id}/attachments`, file()),
    };
    await patchSafety(owner, server.id, { min_membership_minutes: 525_600 });
    for (const { url } of stack.apis) {
      const by = createClient(url).withAuthorization(`Bearer ${member.accessToken}`);
      for (const [name, way] of Object.entries(ways)) {
        const { status, body } = await way(by);
        expect([name, status, body]).toEqual([name, 403, newcomer]);
      }
      expect((await by.get(`/channels/${channel.id}/messages`)).status).toBe(200);
    }
    expect((await member.delete(`/messages/${own.id}`)).status).toBe(204);
    await patchSafety(owner, server.id, { min_membership_minutes: 0 });
    expect(await send(member, channel.id)).toBe(201);
  });

  test("is who has too young an account, too short a membership or no verified address", async () => {
    const { owner, server, channel, members } = await createServerWithMembers(client, 1);
    const [member] = members;
    const sql = (text: string) => runSql(stack.databaseUrl, text, [member.user.id]);
    await patchSafety(owner, server.id, { min_account_age_minutes: 60 });
    expect(await send(member, channel.id)).toEqual([403, newcomer]);
    await sql("UPDATE users SET created_at = now() - interval '61 minutes' WHERE id = $1");
    expect(await send(member, channel.id)).toBe(201);
    await patchSafety(owner, server.id, { min_membership_minutes: 60 });
    expect(await send(member, channel.id)).toEqual([403, newcomer]);
    await sql("UPDATE members SET joined_at = now() - interval '61 minutes' WHERE user_id = $1");
    expect(await send(member, channel.id)).toBe(201);
    await patchSafety(owner, server.id, { require_verified_email: true });
    expect(await send(member, channel.id)).toEqual([403, newcomer]);
    await sql("UPDATE users SET email_verified_at = now() WHERE id = $1");
    expect(await send(member, channel.id)).toBe(201);
  });

  test("is neither the owner, nor a moderator, nor a bot", async () => {
    const { owner, server, channel, members } = await createServerWithMembers(client, 1);
    const bot = await createBotClient(owner);
    await joinServer(bot.client, server.id);
    await patchSafety(owner, server.id, { min_account_age_minutes: 525_600, rules: "Be kind.", rules_for_all: true });
    expect(await send(members[0], channel.id)).toEqual([403, newcomer]);
    await assignRole(
      owner,
      await createRole(owner, server.id, { permissions: permissionBits.MUTE_MEMBERS }),
      members[0],
    );
    for (const by of [owner, members[0], bot.client]) expect(await send(by, channel.id)).toBe(201);
    expect(await readRules(members[0], server.id)).toEqual({ rules: "Be kind.", accepted: true });
  });

  test("hears of missing permissions and of a timeout first, and of filtered words later", async () => {
    const { owner, server, channel, members } = await createServerWithMembers(client, 1);
    const [member] = members;
    await patchSafety(owner, server.id, { min_account_age_minutes: 525_600, rules: "Be kind.", rules_for_all: true });
    const filter = { enabled: true, word_filter_enabled: true };
    expect((await owner.patch(`/servers/${server.id}/automod`, filter)).status).toBe(200);
    expect((await owner.post(`/servers/${server.id}/automod/words`, { word: "hello" })).status).toBe(201);
    expect(await send(member, channel.id)).toEqual([403, newcomer]);
    const target = `/servers/${server.id}/members/${member.user.id}/timeout`;
    expect((await owner.post(target, { duration_minutes: 5 })).status).toBe(200);
    expect(await send(member, channel.id)).toEqual([403, error("User is timed out")]);
    const readOnly = { user_id: member.user.id, allow: 0, deny: permissionBits.SEND_MESSAGES };
    expect((await owner.put(`/channels/${channel.id}/overrides`, readOnly)).status).toBe(200);
    const missing = error("You don't have permission to send messages in this channel");
    expect(await send(member, channel.id)).toEqual([403, missing]);
  });
});

describe("the rules", () => {
  test("are to be accepted by those who joined since there are rules, once, on every api", async () => {
    const { owner, server, channel, members } = await createServerWithMembers(client, 1);
    const [old] = members;
    expect(await readRules(old, server.id)).toEqual({ rules: null, accepted: true });
    expect((await old.post(`/servers/${server.id}/rules/accept`)).status).toBe(204);
    await patchSafety(owner, server.id, { rules: "Be kind." });
    expect(await send(old, channel.id)).toBe(201);

    const joiner = await client.register();
    await joinServer(joiner, server.id);
    expect(await readRules(joiner, server.id)).toEqual({ rules: "Be kind.", accepted: false });
    const [first, second] = stack.apis.map(({ url }) =>
      createClient(url).withAuthorization(`Bearer ${joiner.accessToken}`),
    );
    if (first === undefined || second === undefined) throw new Error("The stack has one api");
    expect(await send(first, channel.id)).toEqual([403, rulesFirst]);
    for (const accepting of [1, 2]) {
      expect([accepting, (await first.post(`/servers/${server.id}/rules/accept`)).status]).toEqual([accepting, 204]);
    }
    expect(await readRules(second, server.id)).toEqual({ rules: "Be kind.", accepted: true });
    expect(await send(second, channel.id)).toBe(201);

    await patchSafety(owner, server.id, { rules: "Be kinder." });
    expect(await send(joiner, channel.id)).toBe(201);
  });

  test("are asked of all members again after each change of the text while they are for all", async () => {
    const { owner, server, channel, members } = await createServerWithMembers(client, 1);
    const [old] = members;
    await patchSafety(owner, server.id, { rules: "Be kind.", rules_for_all: true });
    expect(await send(old, channel.id)).toEqual([403, rulesFirst]);
    expect((await old.post(`/servers/${server.id}/rules/accept`)).status).toBe(204);
    await patchSafety(owner, server.id, { rules: "Be kind.", raid_minutes: 7 });
    expect(await send(old, channel.id)).toBe(201);
    await patchSafety(owner, server.id, { rules: "Be kinder." });
    expect(await send(old, channel.id)).toEqual([403, rulesFirst]);
    await patchSafety(owner, server.id, { rules: null });
    expect(await send(old, channel.id)).toBe(201);
  });

  test("are to be accepted again after leaving and coming back", async () => {
    const { owner, server, channel } = await createServerWithMembers(client, 0);
    await patchSafety(owner, server.id, { rules: "Be kind." });
    const joiner = await client.register();
    await joinServer(joiner, server.id);
    expect((await joiner.post(`/servers/${server.id}/rules/accept`)).status).toBe(204);
    expect((await joiner.delete(`/servers/${server.id}/leave`)).status).toBe(204);
    await joinServer(joiner, server.id);
    expect(await send(joiner, channel.id)).toEqual([403, rulesFirst]);
  });
});
