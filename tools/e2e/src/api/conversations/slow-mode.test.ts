import { type Channel, errorBody as error, Message, permissionBits } from "@parley/contracts";
import {
  assignRole,
  createChannel,
  createClient,
  createRole,
  postMessage,
  type RestClient,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { type ChangeStage, startChangeStage } from "../delivery/changes/change-stage.js";

let stage: ChangeStage;
/** A member without roles, at either api. */
let member: UserClient;
let atEach: RestClient[];

beforeAll(async () => {
  stage = await startChangeStage("v=2");
  member = stage.outsider;
  atEach = stage.stack.apis.map(({ url }) => createClient(url).withAuthorization(`Bearer ${member.accessToken}`));
});
afterAll(() => stage?.connections.closeAll());

const slow = (channelId: string, slow_mode_seconds: number) =>
  stage.owner.patch(`/channels/${channelId}`, { slow_mode_seconds });
async function slowChannel(seconds: number): Promise<Channel> {
  const channel = await createChannel(stage.owner, stage.serverId);
  expect((await slow(channel.id, seconds)).status).toBe(200);
  return channel;
}
const send = (by: RestClient, { id }: { id: string }, body: object = {}) =>
  by.post(`/channels/${id}/messages`, { content: "text", ...body });
const statusOf = async (by: RestClient, channel: Channel) => (await send(by, channel)).status;

test("the channel says how slow it is only while it is slow, in answers and events", async () => {
  const { owner, outsider, open } = stage;
  await stage.heard();
  const changed = (await slow(open.id, 21_600)).expect(200, z.object({}).loose());
  expect(changed).toEqual({ ...open, slow_mode_seconds: 21_600 });
  expect((await outsider.get(`/channels/${open.id}`)).body).toEqual(changed);
  expect((await slow(open.id, 0)).body).toEqual(open);
  const { v2 } = await stage.heard();
  expect(v2.outsider).toEqual([
    ["CHANNEL_UPDATE", changed],
    ["CHANNEL_UPDATE", open],
  ]);
  for (const value of [-1, 21_601, 1.5, "5"]) {
    const refused = await owner.patch(`/channels/${open.id}`, { slow_mode_seconds: value });
    const text = "slow_mode_seconds must be between 0 and 21600";
    expect([refused.status, refused.body]).toEqual([400, error(text)]);
  }
  expect((await outsider.patch(`/channels/${open.id}`, { slow_mode_seconds: 1 })).status).toBe(403);
});

test("of messages that one member sends to two apis at once exactly one passes, in every channel anew", async () => {
  const channels = await Promise.all(Array.from({ length: 8 }, () => slowChannel(60)));
  const passed = await Promise.all(
    channels.map(async (channel) => {
      const sent = [...atEach, ...atEach, ...atEach].map((api) => statusOf(api, channel));
      return (await Promise.all(sent)).toSorted();
    }),
  );
  expect(passed).toEqual(channels.map(() => [201, 429, 429, 429, 429, 429]));
});

test("a member who sends too soon learns how long to wait, whatever they send, and may send after that time", async () => {
  const { owner } = stage;
  const channel = await createChannel(owner, stage.serverId);
  const root = await postMessage(owner, channel.id, "root");
  const before = await postMessage(member, channel.id, "before slow mode");
  expect((await member.delete(`/messages/${before.id}`)).status).toBe(204);
  await slow(channel.id, 3_600);
  const path = `/channels/${channel.id}`;
  const later = new Date(Date.now() + 3_600_000).toISOString();
  for (const [place, body] of [
    [`${path}/messages`, { content: "text" }],
    [`${path}/messages/${root.id}/thread`, { content: "text" }],
    [`${path}/polls`, { question: "Which?", options: ["a", "b"] }],
    [`${path}/events`, { name: "Blitz", starts_at: later }],
  ] as const) {
    const refused = await member.post(place, body);
    const seconds = Number(refused.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(3_500);
    expect(seconds).toBeLessThanOrEqual(3_600);
    expect([refused.status, refused.body]).toEqual([429, error(`Slow mode: wait ${seconds} seconds`)]);
    expect(refused.body).toMatchObject({ code: "slow_mode" });
  }
  await slow(channel.id, 1);
  let sent = 0;
  const replied = async () => {
    sent = performance.now();
    return (await member.post(`${path}/messages/${root.id}/thread`, { content: "text" })).status === 201;
  };
  await waitUntil(replied);
  await waitUntil(async () => (await statusOf(member, channel)) === 201);
  expect(performance.now() - sent).toBeGreaterThan(1_000);
});

test("a message that is blocked or refused does not start the time anew, and a repeated request gets its message", async () => {
  const { owner, serverId } = stage;
  const config = { enabled: true, word_filter_enabled: true, spam_enabled: false, duplicate_enabled: false };
  expect((await owner.patch(`/servers/${serverId}/automod`, config)).status).toBe(200);
  onTestFinished(async () => void (await owner.patch(`/servers/${serverId}/automod`, { enabled: false })));
  expect((await owner.post(`/servers/${serverId}/automod/words`, { word: "blunder" })).status).toBe(201);
  const channel = await slowChannel(3_600);
  expect((await send(member, channel, { content: "a blunder" })).status).toBe(403);
  expect((await send(member, channel, { reply_to: channel.id })).status).toBe(404);
  const form = new FormData();
  form.append("payload_json", JSON.stringify({ content: "with a file" }));
  form.append("files", new Blob([]), "empty.txt");
  expect((await member.send("POST", `/channels/${channel.id}/messages`, { body: form })).status).toBe(400);

  const repeated = await Promise.all(
    [...atEach, ...atEach].map((api) => send(api, channel, { nonce: "repeated", content: "once" })),
  );
  expect(repeated.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 201]);
  expect(new Set(repeated.map(({ body }) => Message.parse(body).id)).size).toBe(1);
  expect((await send(member, channel, { nonce: "repeated" })).status).toBe(200);
  expect(await statusOf(member, channel)).toBe(429);
});

test("nobody waits who holds the right, or manages messages or channels there, by an override too", async () => {
  const { owner, admin, viewer, client, serverId } = stage;
  const channel = await slowChannel(3_600);
  const patient = await client.register();
  expect((await patient.post(`/servers/${serverId}/join`)).status).toBe(201);
  for (const by of [owner, admin])
    expect([await statusOf(by, channel), await statusOf(by, channel)]).toEqual([201, 201]);
  expect([await statusOf(viewer, channel), await statusOf(viewer, channel)]).toEqual([201, 429]);
  const override = { user_id: viewer.user.id, allow: permissionBits.MANAGE_MESSAGES, deny: 0 };
  expect((await owner.put(`/channels/${channel.id}/overrides`, override)).status).toBe(200);
  expect(await statusOf(viewer, channel)).toBe(201);
  expect([await statusOf(patient, channel), await statusOf(patient, channel)]).toEqual([201, 429]);
  const role = await createRole(owner, serverId);
  expect((await owner.patch(`/servers/${serverId}/roles/${role.id}`, { rights: ["bypass_slow_mode"] })).status).toBe(
    200,
  );
  await assignRole(owner, role, patient);
  expect(await statusOf(patient, channel)).toBe(201);
});

test("only who holds the right mentions everyone, in a new text and in an edited one; the text stays", async () => {
  const { owner, serverId, open } = stage;
  const grant = (roleId: string, rights: string[]) => owner.patch(`/servers/${serverId}/roles/${roleId}`, { rights });
  const mentions = async (by: UserClient) => {
    const posted = await postMessage(by, open.id, "@everyone listen");
    const plain = await postMessage(by, open.id, "listen");
    const edited = (await by.patch(`/messages/${plain.id}`, { content: "@everyone now" })).expect(200, Message);
    expect([posted.content, edited.content]).toEqual(["@everyone listen", "@everyone now"]);
    return [posted.mention_everyone, edited.mention_everyone];
  };
  expect(await mentions(member)).toEqual([true, true]);
  expect((await grant(serverId, [])).status).toBe(200);
  onTestFinished(async () => void (await grant(serverId, ["mention_everyone"])));
  expect(await mentions(member)).toEqual([false, false]);
  expect(await mentions(owner)).toEqual([true, true]);
  const role = await createRole(owner, serverId);
  expect((await grant(role.id, ["mention_everyone"])).status).toBe(200);
  await assignRole(owner, role, member);
  expect(await mentions(member)).toEqual([true, true]);
});
