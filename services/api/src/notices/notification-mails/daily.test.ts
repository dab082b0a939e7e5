import { DmChannel, type Message } from "@parley/contracts";
import {
  createChannel,
  createServer,
  createServerWithMembers,
  joinServer,
  type MailReader,
  postMessage,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MailStage, startMailStage } from "./mails-fixture.js";

let stage: MailStage;
beforeAll(async () => {
  stage = await startMailStage({ knowsUrl: false });
});
afterAll(() => stage?.stop());

const path = "/users/@me/notifications";

/** When the next mail of an account is due, in local time of its time zone, and the first such moment from now on. */
const dueOf = async ({ user }: MailReader) => {
  const [row] = await stage.sql(
    `SELECT to_char(mail_due_at AT TIME ZONE timezone, 'YYYY-MM-DD HH24:MI:SS') AS due,
      to_char(CASE WHEN (now() AT TIME ZONE timezone)::time < '08:00' THEN (now() AT TIME ZONE timezone)::date
        ELSE (now() AT TIME ZONE timezone)::date + 1 END, 'YYYY-MM-DD') || ' 08:00:00' AS next,
      to_char((mail_sent_at AT TIME ZONE timezone)::date + 1, 'YYYY-MM-DD') || ' 08:00:00' AS after_last
     FROM notification_settings WHERE user_id = $1`,
    [user.id],
  );
  return Object(row);
};
const isPlanned = (reader: MailReader, timezone: string) =>
  stage.doing(["plan"], () =>
    waitUntil(async () => (await dueOf(reader)).due !== null, { what: `a mail planned for ${timezone}` }),
  );

test.each(["UTC", "Pacific/Auckland", "America/Los_Angeles", "Asia/Kolkata"])(
  "a daily mail is planned for eight o'clock in %s",
  async (timezone) => {
    const reader = await stage.register({ mail: "daily", timezone });
    await isPlanned(reader, timezone);
    const { due, next } = await dueOf(reader);
    expect(due).toBe(next);
  },
);

test("another time zone moves the daily mail, and mails that are turned off are due no more", async () => {
  const reader = await stage.register({ mail: "daily", timezone: "Asia/Tokyo" });
  await isPlanned(reader, "Asia/Tokyo");
  expect((await reader.patch(path, { timezone: "America/New_York" })).status).toBe(200);
  await isPlanned(reader, "America/New_York");
  const { due, next } = await dueOf(reader);
  expect(due).toBe(next);
  expect((await reader.patch(path, { mail: "off" })).status).toBe(200);
  expect((await dueOf(reader)).due).toBeNull();
});

test("a daily mail has mentions, conversations and the most reactions where the account may look, once a day", async () => {
  const { server, channel, owner, members } = await createServerWithMembers(stage.client, 3);
  const reader = await stage.register({ mail: "daily" });
  const hidden = await createChannel(owner, server.id, { name: "hidden" });
  const silent = await createChannel(owner, server.id, { name: "silent" });
  const muted = await createServer(owner, { is_public: true });
  const inMuted = await createChannel(owner, muted.id);
  for (const id of [server.id, muted.id]) await joinServer(reader, id);
  for (const member of members) await joinServer(member, muted.id);
  const deny = { role_id: server.id, allow: 0, deny: 1 };
  const react = async ({ id, channel_id }: Message, count: number) => {
    for (const person of [owner, ...members].slice(0, count)) {
      const answer = await person.put(`/channels/${channel_id}/messages/${id}/reactions/${encodeURIComponent("👍")}`);
      expect(answer.status).toBe(204);
    }
  };
  const post = async (channelId: string, text: string, reactions: number) => {
    const message = await postMessage(owner, channelId, text);
    await react(message, reactions);
    return message;
  };
  for (let count = 1; count <= 4; count += 1) await post(channel.id, `liked by ${count}`, count);
  for (const text of ["also liked", "liked as well"]) await post(channel.id, text, 2);
  await post(hidden.id, "a secret", 4);
  await post(silent.id, "in silence", 4);
  await post(inMuted.id, "in a muted server", 4);
  const gone = await post(channel.id, "taken back", 4);
  expect((await owner.put(`/channels/${hidden.id}/overrides`, deny)).status).toBe(200);
  const settings = {
    servers: { [muted.id]: { muted_until: "forever" } },
    channels: { [silent.id]: { level: "nothing" } },
  };
  expect((await reader.patch(path, settings)).status).toBe(200);
  const mention = await postMessage(owner, channel.id, `@${reader.username} good morning`);
  const { id: dm } = (await owner.post("/dm-channels", { user_id: reader.user.id })).expect(201, DmChannel);
  const direct = await owner.post(`/dm-channels/${dm}/messages`, { content: "in private" });
  expect((await owner.delete(`/messages/${gone.id}`)).status).toBe(204);
  await isPlanned(reader, "UTC");

  await stage.miss(reader, [mention.id]);
  await stage.untilSettled([reader]);
  await stage.miss(reader, [String(Object(direct.body).id)], { isDirect: true });
  await stage.untilSettled([reader]);
  const mails = stage.mailsTo(reader);
  expect(mails).toHaveLength(2);
  const [first, second] = mails;
  expect(first?.subject).toBe("Your day – Mentions: 1");
  expect(first?.text).toContain("good morning");
  const reactions = [...(first?.text.matchAll(/reactions: (\d)\n(.*)\n/g) ?? [])].map(([, count, text]) => [
    count,
    text,
  ]);
  expect(reactions).toEqual([
    ["4", "liked by 4"],
    ["3", "liked by 3"],
    ["2", "liked as well"],
    ["2", "also liked"],
    ["2", "liked by 2"],
  ]);
  expect(first?.text).not.toMatch(/a secret|in silence|muted server|taken back|liked by 1/);
  expect(second?.subject).toBe("Your day – Direct messages: 1");
  expect([second?.text.includes("in private"), second?.text.includes("good morning")]).toEqual([true, false]);
  const { due, after_last } = await dueOf(reader);
  expect(due).toBe(after_last);
});

test("a daily mail is not sent when it would be empty, and comes during quiet hours", async () => {
  const { server, channel, owner } = await createServerWithMembers(stage.client, 0);
  const reader = await stage.register({ mail: "daily", quiet: { from: "00:00", to: "23:59" } });
  await joinServer(reader, server.id);
  await isPlanned(reader, "UTC");
  await stage.makeDue([reader]);
  await stage.untilSettled([reader]);
  expect(stage.mailsTo(reader)).toEqual([]);
  const { due, next } = await dueOf(reader);
  expect(due).toBe(next);
  await stage.miss(reader, [(await postMessage(owner, channel.id, `@${reader.username} hello`)).id]);
  await stage.untilSettled([reader]);
  expect(stage.mailsTo(reader)).toHaveLength(1);
});

test("without PUBLIC_URL links have the address at which the account asked for mails, of its page where it has one", async () => {
  const { server, channel, owner } = await createServerWithMembers(stage.client, 0);
  const [here, elsewhere] = [await stage.register({ mail: "daily" }), await stage.register({ mail: "daily" })];
  const headers = { origin: "https://chat.example.org" };
  expect((await elsewhere.send("PATCH", path, { body: { mail: "daily" }, headers })).status).toBe(200);
  for (const [reader, origin] of [
    [here, new URL(stage.stack.edgeUrl).origin],
    [elsewhere, headers.origin],
  ] as const) {
    await joinServer(reader, server.id);
    await stage.miss(reader, [(await postMessage(owner, channel.id, `@${reader.username} hello`)).id]);
    await stage.untilSettled([reader]);
    const [mail] = stage.mailsTo(reader);
    expect(mail?.header("List-Unsubscribe")).toContain(`<${origin}/mail/unsubscribe/`);
    expect(mail?.text).toContain(`${origin}/app/servers/${server.id}/`);
  }
});
