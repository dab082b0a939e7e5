import { randomUUID } from "node:crypto";
import { errorBody as error, ListedEvent, Message } from "@parley/contracts";
import { asEvent, type RestClient, type UserClient } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { receiverOfTest } from "../../stages/webhook-receiver.js";
import { createWebhook } from "../../stages/webhook-stage.js";
import { type ChangeStage, type Heard, heardBy, nothing, startChangeStage } from "./change-stage.js";

let stage: ChangeStage;

beforeAll(async () => {
  stage = await startChangeStage();
});
afterAll(() => stage?.connections.closeAll());

const viewers = ["owner", "admin", "viewer"] as const;
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** An event of the viewer in the hidden channel; nobody is still to get events of it. */
async function schedule(fields: Record<string, unknown> = {}) {
  const body = { name: "Blitz", description: "Bring a clock", starts_at: inHours(1), ...fields };
  const answer = await stage.viewer.post(`/channels/${stage.hidden.id}/events`, body);
  const message = answer.expect(201, Message.strict());
  if (message.event === null) throw new Error("The message has no event.");
  const listed: ListedEvent = { ...message.event, channel_id: message.channel_id, message_id: message.id };
  await stage.heard();
  return { message, listed, path: `/events/${listed.id}` };
}
const read = async (user: RestClient, { id }: Message) =>
  (await user.get(`/channels/${stage.hidden.id}/messages/${id}`)).expect(200, Message.strict());
const coming = async ({ id }: ListedEvent) =>
  (await stage.owner.get(`/servers/${stage.serverId}/events`))
    .expect(200, z.array(ListedEvent.strict()))
    .find((event) => event.id === id);

describe("an edited event", () => {
  test("shows its changes in the list and in its message, and everybody who may view the channel hears of both", async () => {
    const receiver = await receiverOfTest();
    await createWebhook(stage.owner, stage.serverId, { url: receiver.url, event_types: ["message.updated"] });
    const { message, listed, path } = await schedule();
    const starts_at = inHours(2);
    const steps: readonly [UserClient, object, Partial<ListedEvent>][] = [
      [stage.viewer, { name: ` Bullet @${stage.admin.username} ` }, { name: `Bullet @${stage.admin.username}` }],
      [stage.admin, { starts_at, name: null }, { starts_at }],
      [stage.viewer, { description: "" }, { description: null }],
    ];
    let expected = listed;
    for (const [by, body, changes] of steps) {
      expected = { ...expected, ...changes };
      const { id, name, description, starts_at, created_by, created_at } = expected;
      expect((await by.patch(path, body)).expect(200, ListedEvent.strict())).toEqual(expected);
      expect(await coming(listed)).toEqual(expected);
      const shown = await read(stage.owner, message);
      expect(shown).toEqual({
        ...message,
        content: `📅 ${name}`,
        mention_user_ids: [stage.admin.user.id],
        edited_at: expect.stringMatching(/Z$/),
        event: { id, name, description, starts_at, created_by, created_at },
      });
      const update: Heard = ["MESSAGE_UPDATE", asEvent(shown, stage.serverId, stage.viewer)];
      expect(await stage.heard()).toEqual({
        v1: heardBy(viewers, update),
        v2: heardBy(viewers, update, ["EVENT_UPDATE", expected]),
      });
    }
    const deliveries = await receiver.waitFor(steps.length);
    const last = deliveries
      .map(({ body }) => JSON.parse(body.toString()).data)
      .find(({ event }) => event.description === null);
    expect(last).toEqual(await read(stage.owner, message));
  });

  test("stays as it is without fields, with invalid ones, and for those who may not change it", async () => {
    const { message, listed, path } = await schedule();
    const { owner, viewer, outsider, stranger } = stage;
    for (const body of [{}, { name: null, starts_at: null }]) {
      expect((await viewer.patch(path, body)).expect(200, ListedEvent.strict())).toEqual(listed);
    }
    const refused = async (by: RestClient, status: number, text: string, body: object = { name: "Bullet" }) => {
      const answer = await by.patch(path, body);
      expect([answer.status, answer.body]).toEqual([status, error(text)]);
    };
    await refused(viewer, 400, "Event name must be 1-200 characters", { name: " " });
    await refused(viewer, 400, "Event description must be at most 2000 characters", { description: "x".repeat(2001) });
    await refused(viewer, 400, "starts_at must be a timestamp in the future", { starts_at: inHours(-1) });
    await refused(stranger, 404, "Event not found");
    await refused(outsider, 403, "You don't have permission to view this channel");
    const missing = await viewer.patch(`/events/${randomUUID()}`, { name: "Bullet" });
    expect([missing.status, missing.body]).toEqual([404, error("Event not found")]);
    const events = `/channels/${stage.open.id}/events`;
    const { event } = (await owner.post(events, { name: "Owner's", starts_at: inHours(1) })).expect(201, Message);
    for (const [method, text] of [
      ["PATCH", "You cannot edit this event"],
      ["DELETE", "You cannot delete this event"],
    ] as const) {
      const answer = await viewer.send(method, `/events/${event?.id}`, { body: { name: "Bullet" } });
      expect([answer.status, answer.body]).toEqual([403, error(text)]);
    }
    await stage.heard();

    const automod = `/servers/${stage.serverId}/automod`;
    await owner.patch(automod, { enabled: true, word_filter_enabled: true });
    await owner.post(`${automod}/words`, { word: "cheat" });
    await refused(viewer, 403, "Message blocked by word filter", { name: "Cheat day" });
    await refused(viewer, 403, "Message blocked by word filter", { description: "for cheaters" });
    await owner.patch(automod, { enabled: false });
    await owner.post(`/servers/${stage.serverId}/members/${viewer.user.id}/timeout`, { duration_minutes: 5 });
    await refused(viewer, 403, "User is timed out");
    await owner.delete(`/servers/${stage.serverId}/members/${viewer.user.id}/timeout`);
    const heard = await stage.heard();
    const names = Object.values(heard.v2).flatMap((events) => events.map(([name]) => name));
    expect(names.filter((name) => name === "MESSAGE_UPDATE" || name === "EVENT_UPDATE")).toEqual([]);
    expect([await coming(listed), await read(owner, message)]).toEqual([listed, message]);
  });
});

describe("a deleted event", () => {
  test.each([
    ["itself, by its author", "viewer", "event"],
    ["itself, by a moderator", "admin", "event"],
    ["with its message", "viewer", "message"],
  ] as const)("is deleted %s, and everybody who may view the channel hears of both", async (_, who, what) => {
    const { message, listed, path } = await schedule();
    expect((await stage[who].delete(what === "event" ? path : `/messages/${message.id}`)).status).toBe(204);
    const { id, channel_id, message_id } = listed;
    const deletion: Heard = ["MESSAGE_DELETE", { id: message_id, channel_id }];
    expect(await stage.heard()).toEqual({
      v1: heardBy(viewers, deletion),
      v2: heardBy(viewers, deletion, ["EVENT_DELETE", { id, channel_id, message_id }]),
    });
    expect(await coming(listed)).toBeUndefined();
    for (const method of ["PATCH", "DELETE"] as const) {
      const answer = await stage.viewer.send(method, path, { body: { name: "Bullet" } });
      expect([answer.status, answer.body]).toEqual([404, error("Event not found")]);
    }
    expect(await stage.heard()).toEqual({ v1: nothing, v2: nothing });
  });

  test("is deleted by the spam rule, too", async () => {
    const automod = `/servers/${stage.serverId}/automod`;
    await stage.heard();
    await stage.owner.patch(automod, { enabled: true, spam_enabled: true, spam_max_messages: 1, spam_window_secs: 60 });
    const sent = [];
    for (const name of ["One", "Two"]) {
      const body = { name, starts_at: inHours(1) };
      sent.push((await stage.admin.post(`/channels/${stage.hidden.id}/events`, body)).expect(201, Message.strict()));
    }
    await stage.owner.patch(automod, { enabled: false });
    const [, spam] = sent;
    expect(spam?.deleted).toBe(true);
    const { v1, v2 } = await stage.heard();
    const deletions = (events: readonly Heard[]) => events.filter(([name]) => name.endsWith("_DELETE"));
    const deletion: Heard = ["MESSAGE_DELETE", { id: spam?.id, channel_id: stage.hidden.id }];
    const ended: Heard = ["EVENT_DELETE", { id: spam?.event?.id, channel_id: stage.hidden.id, message_id: spam?.id }];
    expect([deletions(v1.viewer), deletions(v2.viewer)]).toEqual([[deletion], [deletion, ended]]);
  });
});
