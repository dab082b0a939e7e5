import { Message } from "@parley/contracts";
import { createServerWithMembers, type UserClient, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { runSql } from "../stages/admin-stage.js";
import { deny } from "../stages/channel-stage.js";
import { usePushStage } from "../stages/push-stage.js";

const stage = usePushStage();

async function world() {
  const { owner, members, server, channel } = await createServerWithMembers(stage.client, 1);
  const [ben] = members;
  const announce = async (name: string, interested: readonly UserClient[]) => {
    const starts_at = new Date(Date.now() + 3_600_000).toISOString();
    const { id: messageId, event } = (await owner.post(`/channels/${channel.id}/events`, { name, starts_at })).expect(
      201,
      Message,
    );
    for (const user of interested) expect((await user.put(`/events/${event?.id}/interested`)).status).toBe(204);
    return { id: event?.id ?? "", messageId };
  };
  return { owner, ben, server, channel, phone: await stage.phoneOf(ben), announce };
}
/** Lets the time come at which events start in so many minutes, and waits for their notices. */
async function bring(minutes: number, ...ids: string[]) {
  const { databaseUrl } = stage.stack;
  const rows = await runSql(
    databaseUrl,
    `UPDATE scheduled_events SET starts_at = now() + make_interval(mins => ${minutes}), notice_due_at = now()
      WHERE id = ANY ($1) RETURNING notice_id`,
    [ids],
  );
  expect(rows).toHaveLength(ids.length);
  const due = "SELECT FROM scheduled_events WHERE id = ANY ($1) AND notice_due_at <= now()";
  await waitUntil(async () => (await runSql(databaseUrl, due, [ids])).length === 0, { what: "the notices of events" });
}

test("devices of interested accounts get a push before an event and at its start, each once, on two apis", async () => {
  const { owner, ben, server, channel, phone, announce } = await world();
  const tablet = await stage.phoneOf(ben);
  const others = await stage.phoneOf(owner);
  const names = Array.from({ length: 8 }, (_, number) => `Round ${number}`);
  const made = [];
  for (const name of names) made.push(await announce(name, [ben]));
  const ids = made.map(({ id }) => id);
  await bring(15, ...ids);
  for (const device of [phone, tablet]) for (const name of names) await device.pushed(name);
  const [first] = made;
  const messageId = first?.messageId;
  expect(phone.messages().find(({ text }) => text === "Round 0")).toEqual({
    type: "message",
    title: `Event in 15 minutes (#${channel.name}, ${server.name})`,
    text: "Round 0",
    server_id: server.id,
    channel_id: channel.id,
    message_id: messageId,
    url: `/app/servers/${server.id}/channels/${channel.id}/${messageId}`,
    tag: expect.stringMatching(/^[0-9a-f-]{36}$/),
    count: 1,
  });
  await bring(0, ...ids);
  await stage.settled(ben, phone);
  await stage.settled(ben, tablet);
  for (const device of [phone, tablet]) {
    const titles = device
      .messages()
      .flatMap(({ title }) => (title.startsWith("Event ") ? (title.split(" (")[0] ?? []) : []));
    expect(titles.toSorted()).toEqual(
      [...names.map(() => "Event in 15 minutes"), ...names.map(() => "Event now")].toSorted(),
    );
  }
  await stage.settled(owner, others);
  expect(others.messages().filter(({ title }) => title.startsWith("Event "))).toEqual([]);
});

test("no push comes of an event that its account may no longer see, takes no interest in any more, or that was deleted", async () => {
  const { owner, ben, channel, phone, announce } = await world();
  const [hidden, dull, gone] = [
    await announce("Hidden", [ben]),
    await announce("Dull", [ben]),
    await announce("Gone", [ben]),
  ];
  expect((await ben.delete(`/events/${dull.id}/interested`)).status).toBe(204);
  expect((await owner.delete(`/events/${gone.id}`)).status).toBe(204);
  await deny(owner, channel.id, { userId: ben.user.id, permissions: ["VIEW_CHANNEL"] });
  await bring(15, hidden.id, dull.id);
  await stage.settled(ben, phone);
  expect(phone.messages().filter(({ title }) => title.startsWith("Event "))).toEqual([]);
});
