import { randomUUID } from "node:crypto";
import { DmChannel, errorBody, NotificationSettings, SentMessage } from "@parley/contracts";
import {
  createClient,
  createServerWithMembers,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { runSql } from "../stages/admin-stage.js";
import { createBot, createConnections } from "../stages/connection-stage.js";

let stack: SharedStack;
let client: RestClient;
let connections: ReturnType<typeof createConnections>;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.apis[0]?.url ?? "");
  connections = createConnections(stack);
});
afterAll(() => connections?.closeAll());

const path = "/users/@me/notifications";
const defaults = {
  default: { level: "mentions" },
  servers: {},
  channels: {},
  threads: {},
  quiet: null,
  timezone: "UTC",
  push: { enabled: true, content: true },
  mail: "off",
};
const read = async (user: RestClient) => (await user.get(path)).expect(200, NotificationSettings.strict());
const change = async (user: RestClient, changes: object) =>
  (await user.patch(path, changes)).expect(200, NotificationSettings.strict());
/** Requests of a user through the other api. */
const elsewhere = ({ accessToken }: UserClient) =>
  createClient(stack.apis[1]?.url ?? "").withAuthorization(`Bearer ${accessToken}`);

test("settings are merged with the stored ones, null removes an entry, and both apis return the same", async () => {
  const user = await client.register();
  expect(await read(user)).toEqual(defaults);
  const [server, channel, thread] = [randomUUID(), randomUUID(), randomUUID()];
  const until = "2030-01-02T03:04:05.000Z";
  const first = await change(user, {
    default: { level: "all" },
    servers: { [server]: { muted_until: until } },
    channels: { [channel.toUpperCase()]: { level: "nothing", muted_until: "forever" } },
    threads: { [thread]: { level: "mentions" } },
    quiet: { from: "22:00", to: "07:00" },
    timezone: "Europe/Berlin",
    push: { content: false },
  });
  const merged = {
    ...defaults,
    default: { level: "all" },
    servers: { [server]: { level: null, muted_until: until, suppress_everyone: false } },
    channels: { [channel]: { level: "nothing", muted_until: "forever" } },
    threads: { [thread]: { level: "mentions" } },
    quiet: { from: "22:00", to: "07:00" },
    timezone: "Europe/Berlin",
    push: { enabled: true, content: false },
  };
  expect(first).toEqual(merged);
  expect(await read(elsewhere(user))).toEqual(merged);
  const second = await change(elsewhere(user), {
    servers: { [server]: { level: "nothing", suppress_everyone: true } },
    channels: { [channel]: { muted_until: null } },
    threads: { [thread]: null },
    quiet: null,
    timezone: null,
  });
  expect(second).toEqual({
    ...merged,
    servers: { [server]: { level: "nothing", muted_until: until, suppress_everyone: true } },
    channels: { [channel]: { level: "nothing", muted_until: null } },
    threads: {},
    quiet: null,
  });
  expect(await read(user)).toEqual(second);
});

test("changes of two apis at once are all kept", async () => {
  const user = await client.register();
  const ids = Array.from({ length: 12 }, () => randomUUID());
  await Promise.all(
    ids.map((id, n) => change(n % 2 ? user : elsewhere(user), { channels: { [id]: { level: "all" } } })),
  );
  expect(Object.keys((await read(user)).channels).sort()).toEqual([...ids].sort());
});

const id = randomUUID();
test.each([
  [{ default: { level: "some" } }, "default.level: must be all, mentions, nothing"],
  [{ servers: { [id]: { level: "some" } } }, `servers.${id}.level: must be all, mentions, nothing`],
  [
    { channels: { [id]: { muted_until: "tomorrow" } } },
    `channels.${id}.muted_until: must be a timestamp, "forever" or null`,
  ],
  [{ threads: { x: { level: "all" } } }, "threads.x: must be an id"],
  [{ servers: [] }, "servers: must be an object"],
  [{ quiet: { from: "22:00" } }, "quiet.to: must be a time as 22:00"],
  [{ quiet: { from: "24:00", to: "07:00" } }, "quiet.from: must be a time as 22:00"],
  [{ quiet: { from: "07:00", to: "07:00" } }, "quiet.to: must be another time than from"],
  [{ timezone: "Berlin" }, "timezone: must be a time zone as Europe/Berlin"],
  [{ push: { enabled: "yes" } }, "push.enabled: must be true or false"],
  [{ mail: "weekly" }, "mail: must be off, mentions, daily"],
])("what cannot be set is named by its path: %j", async (changes, text) => {
  const user = await client.register();
  const answer = await user.patch(path, { default: { level: "all" }, ...changes });
  expect([answer.status, answer.body]).toEqual([400, errorBody(text)]);
  expect(await read(user)).toEqual(defaults);
});

test("mails need an address that is verified", async () => {
  const user = await client.register({ email: `${randomUUID()}@example.com` });
  for (const mail of ["mentions", "daily"]) {
    const refused = await user.patch(path, { mail });
    expect([refused.status, refused.body]).toEqual([400, errorBody("A verified e-mail address is needed")]);
  }
  expect((await change(user, { mail: "off" })).mail).toBe("off");
  await runSql(stack.databaseUrl, "UPDATE users SET email_verified_at = now() WHERE id = $1", [user.user.id]);
  expect((await change(user, { mail: "daily" })).mail).toBe("daily");
});

test("an account has settings of 2,000 servers, channels and threads at most", async () => {
  const user = await client.register();
  const many = (length: number) =>
    Object.fromEntries(Array.from({ length }, () => [randomUUID(), { level: "all" as const }]));
  const first = many(1_000);
  await change(user, { servers: first });
  await change(user, { channels: many(1_000) });
  const refused = await user.patch(path, { threads: many(1) });
  expect([refused.status, refused.body]).toEqual([400, errorBody("Limit of 2000 notifications reached")]);
  const [one = ""] = Object.keys(first);
  expect((await change(user, { servers: { [one]: { level: "nothing" } } })).servers[one]?.level).toBe("nothing");
  await change(user, { servers: { [one]: null }, threads: many(1) });
});

test("every change reaches all connections of the account with v=2 and nobody else; a request without an effect causes no event", async () => {
  const [user, other] = [await client.register(), await client.register()];
  const all = [await connections.open(user.accessToken, 0, "v=2"), await connections.open(user.accessToken, 1, "v=2")];
  const [older, others] = [
    await connections.open(user.accessToken, 0),
    await connections.open(other.accessToken, 1, "v=2"),
  ];
  const settings = await change(user, { default: { level: "all" } });
  for (const socket of all) expect(await socket.waitFor("NOTIFICATIONS_UPDATE")).toEqual(settings);
  const marks = all.map((socket) => socket.mark());
  await change(user, { default: { level: "all" }, quiet: null, servers: {} });
  const last = await change(elsewhere(user), { timezone: "Asia/Tokyo" });
  for (const [index, socket] of all.entries()) {
    expect(await socket.waitFor("NOTIFICATIONS_UPDATE", undefined, { since: marks[index] ?? 0 })).toEqual(last);
  }
  for (const socket of [older, others]) {
    await socket.heartbeat();
    expect(socket.events.map(({ name }) => name)).not.toContain("NOTIFICATIONS_UPDATE");
  }
});

describe("a thread", () => {
  const reply = async (user: RestClient, root: { id: string; channel_id: string }) =>
    (await user.post(`/channels/${root.channel_id}/messages/${root.id}/thread`, { content: "a reply" })).expect(
      201,
      SentMessage,
    );

  test("a thread is followed by its authors, except those who have said otherwise", async () => {
    const { owner, channel, members } = await createServerWithMembers(client, 2);
    const [writer, silent] = members;
    const root = await postMessage(owner, channel.id, "root");
    const told = await connections.open(writer.accessToken, 1, "v=2");
    await change(silent, { threads: { [root.id]: { level: "nothing" } } });
    for (const user of [writer, writer, silent]) await reply(user, root);
    expect((await read(writer)).threads).toEqual({ [root.id]: { level: "all" } });
    expect((await read(silent)).threads).toEqual({ [root.id]: { level: "nothing" } });
    // The author of the root follows from the first reply on.
    await expect.poll(async () => (await read(owner)).threads).toEqual({ [root.id]: { level: "all" } });
    expect(await told.waitFor("NOTIFICATIONS_UPDATE")).toEqual(await read(writer));
    await told.heartbeat();
    expect(told.events.filter(({ name }) => name === "NOTIFICATIONS_UPDATE")).toHaveLength(1);
  });

  test("of more than 1,000 threads the one set longest ago goes", async () => {
    const { owner, channel } = await createServerWithMembers(client, 0);
    await runSql(
      stack.databaseUrl,
      `INSERT INTO notification_targets (user_id, kind, target_id, level, set_at)
       SELECT $1, 'thread', gen_random_uuid(), 'all', now() - make_interval(secs => n) FROM generate_series(1, 1000) n`,
      [owner.user.id],
    );
    const oldest = await runSql(
      stack.databaseUrl,
      "SELECT target_id FROM notification_targets WHERE user_id = $1 ORDER BY set_at LIMIT 1",
      [owner.user.id],
    );
    const root = await postMessage(owner, channel.id, "root");
    await reply(owner, root);
    const threads = Object.keys((await read(owner)).threads);
    expect(threads).toHaveLength(1_000);
    expect(threads).toContain(root.id);
    expect(threads).not.toContain(Object(oldest[0]).target_id);
  });

  test("bots follow no thread", async () => {
    const { owner, server, channel } = await createServerWithMembers(client, 0);
    const bot = await createBot(owner);
    const caller = client.withAuthorization(`Bot ${bot.token}`);
    expect((await owner.post(`/servers/${server.id}/bots`, { bot_id: bot.id, permissions: 0 })).status).toBe(201);
    await reply(caller, await postMessage(owner, channel.id, "root"));
    expect((await read(caller)).threads).toEqual({});
  });
});

test("conversations are set like channels, and the settings are part of the export", async () => {
  const [user, other] = [await client.register(), await client.register()];
  const { id } = (await user.post("/dm-channels", { user_id: other.user.id })).expect(201, DmChannel);
  const settings = await change(user, { channels: { [id]: { muted_until: "forever" } } });
  expect(settings.channels).toEqual({ [id]: { level: null, muted_until: "forever" } });
  const { account } = (await user.get("/users/@me/export")).expect(
    200,
    z.looseObject({ account: z.looseObject({ notifications: z.unknown() }) }),
  );
  expect(account.notifications).toEqual(settings);
});
