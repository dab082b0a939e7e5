import { errorBody as error, ListedEvent, Message } from "@parley/contracts";
import { createChannel, createClient, type RestClient, type UserClient } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type ChangeStage, type Heard, heardBy, nothing, startChangeStage } from "../delivery/changes/change-stage.js";
import { runSql } from "../stages/admin-stage.js";
import { deny } from "../stages/channel-stage.js";

let stage: ChangeStage;
let voiceId: string;
let secretVoiceId: string;
beforeAll(async () => {
  stage = await startChangeStage();
  const { owner, serverId, viewer } = stage;
  voiceId = (await createChannel(owner, serverId, { name: "lounge", type: "voice" })).id;
  secretVoiceId = (await createChannel(owner, serverId, { name: "staff", type: "voice" })).id;
  await deny(owner, secretVoiceId, { userId: viewer.user.id, permissions: ["VIEW_CHANNEL"] });
});
afterAll(() => stage?.connections.closeAll());

const viewers = ["owner", "admin", "viewer"] as const;
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const body = (fields: object) => ({ name: "Blitz", starts_at: inHours(1), ...fields });
const events = () => `/channels/${stage.hidden.id}/events`;

/** An event of the viewer in the hidden channel; nobody is still to get events of it. */
async function schedule(fields: object = {}) {
  const message = (await stage.viewer.post(events(), body(fields))).expect(201, Message.strict());
  if (message.event === null) throw new Error("The message has no event.");
  await stage.heard();
  const { event, id: message_id, channel_id } = message;
  return { message, event, listed: { ...event, channel_id, message_id }, path: `/events/${event.id}` };
}
const shownIn = async (by: RestClient, { id }: Message) =>
  (await by.get(`/channels/${stage.hidden.id}/messages/${id}`)).expect(200, Message.strict()).event;
const listedTo = async (by: RestClient, id: string) =>
  (await by.get(`/servers/${stage.serverId}/events`))
    .expect(200, z.array(ListedEvent.strict()))
    .find((event) => event.id === id);
/** An account through the other api. */
const elsewhere = ({ accessToken }: UserClient) =>
  createClient(stage.stack.apis[1]?.url ?? "").withAuthorization(`Bearer ${accessToken}`);

describe("the end, place and voice channel of an event", () => {
  test("are there where they were set, change by themselves, and null takes them away", async () => {
    const { owner, viewer } = stage;
    const set = { ends_at: inHours(3), place: "Club house", voice_channel_id: voiceId };
    const { message, event, listed, path } = await schedule(set);
    expect(event).toMatchObject(set);
    expect((await schedule()).event).not.toHaveProperty("ends_at");
    const { ends_at, place, voice_channel_id, ...bare } = listed;
    const later = inHours(5);
    for (const [changes, expected] of [
      [{ place: "Hall 2" }, { ...bare, ends_at, place: "Hall 2", voice_channel_id }],
      [{ ends_at: later }, { ...bare, ends_at: later, place: "Hall 2", voice_channel_id }],
      [{ ends_at: null, place: "", voice_channel_id: null }, bare],
    ] as const) {
      expect((await viewer.patch(path, changes)).expect(200, ListedEvent.strict())).toEqual(expected);
      expect(await listedTo(owner, event.id)).toEqual(expected);
      const { channel_id, message_id, ...shown } = expected;
      expect(await shownIn(owner, message)).toEqual(shown);
      const { v1, v2 } = await stage.heard();
      expect(v2).toMatchObject({
        viewer: [
          ["MESSAGE_UPDATE", { event: shown }],
          ["EVENT_UPDATE", expected],
        ],
      });
      expect(v1.viewer.map(([name]) => name)).toEqual(["MESSAGE_UPDATE"]);
    }
  });

  test("are refused where they are wrong, when the event is made and when it is changed", async () => {
    const { viewer, stranger, owner, open } = stage;
    const { path, listed } = await schedule({ ends_at: inHours(2) });
    const end = "ends_at must be a timestamp after starts_at";
    const place = "Event place must be at most 200 characters";
    const voice = "Invalid voice_channel_id";
    const server = (await owner.post("/servers", { name: "Other" })).expect(201, z.object({ id: z.string() }));
    const { id: foreign } = await createChannel(owner, server.id, { name: "voice", type: "voice" });
    for (const [fields, text] of [
      [{ ends_at: inHours(0.5) }, end],
      [{ ends_at: "soon" }, end],
      [{ place: "x".repeat(201) }, place],
      [{ place: 1 }, place],
      [{ voice_channel_id: "x" }, voice],
      [{ voice_channel_id: open.id }, voice],
      [{ voice_channel_id: secretVoiceId }, voice],
    ] as const) {
      expect(await viewer.post(events(), body(fields))).toMatchObject({ status: 400, body: error(text) });
      expect(await viewer.patch(path, fields)).toMatchObject({ status: 400, body: error(text) });
    }
    const elsewhereInvalid = await owner.patch(path, { voice_channel_id: foreign });
    expect(elsewhereInvalid).toMatchObject({ status: 400, body: error(voice) });
    expect(await viewer.patch(path, { starts_at: inHours(4) })).toMatchObject({ status: 400, body: error(end) });
    expect(await stranger.post(events(), body({ voice_channel_id: voiceId }))).toMatchObject({ status: 404 });
    expect(await listedTo(viewer, listed.id)).toEqual(listed);
    const later = { starts_at: inHours(4), ends_at: inHours(5) };
    expect(await viewer.patch(path, later)).toMatchObject({ status: 200, body: later });
  });

  test("the word filter reads the place, too", async () => {
    const { owner, viewer, serverId } = stage;
    const { path } = await schedule();
    const automod = `/servers/${serverId}/automod`;
    await owner.patch(automod, { enabled: true, word_filter_enabled: true });
    await owner.post(`${automod}/words`, { word: "casino" });
    const blocked = { status: 403, body: error("Message blocked by word filter") };
    expect(await viewer.post(events(), body({ place: "The casino" }))).toMatchObject(blocked);
    expect(await viewer.patch(path, { place: "The casino" })).toMatchObject(blocked);
    await owner.patch(automod, { enabled: false });
  });
});

describe("interest in an event", () => {
  test("is counted for everybody, says `me` to each, and reaches connections with v=2 without it", async () => {
    const { owner, admin, viewer } = stage;
    const { message, event, listed, path } = await schedule();
    expect(await listedTo(viewer, event.id)).toEqual(listed);
    const change = async (by: UserClient, method: "put" | "delete") =>
      expect((await by[method](`${path}/interested`)).status).toBe(204);
    const hear = async (count: number) => {
      const update: Heard = ["EVENT_UPDATE", { ...listed, interested_count: count }];
      expect(await stage.heard()).toEqual({ v1: nothing, v2: heardBy(viewers, update) });
    };
    await change(viewer, "put");
    await hear(1);
    for (const [by, me] of [
      [viewer, true],
      [owner, false],
    ] as const) {
      expect(await listedTo(by, event.id)).toEqual({ ...listed, interested_count: 1, me });
      expect(await shownIn(by, message)).toEqual({ ...event, interested_count: 1, me });
      const history = await by.get(`/channels/${stage.hidden.id}/messages?limit=1`);
      expect(history.expect(200, z.array(Message))[0]?.event).toMatchObject({ interested_count: 1, me });
    }
    expect((await admin.patch(path, {})).body).toMatchObject({ interested_count: 1, me: false });
    await change(viewer, "put");
    expect(await stage.heard()).toEqual({ v1: nothing, v2: nothing });
    await change(admin, "put");
    await hear(2);
    await change(viewer, "delete");
    await hear(1);
    await change(admin, "delete");
    await hear(0);
    await change(admin, "delete");
    expect(await stage.heard()).toEqual({ v1: nothing, v2: nothing });
    expect(await shownIn(admin, message)).toEqual({ ...event, interested_count: 0, me: false });
  });

  test("is counted once of each account on two apis at once, and ends with the event", async () => {
    const { owner, admin, viewer } = stage;
    const { message, event, path } = await schedule();
    const accounts = [owner, admin, viewer];
    const both = accounts.flatMap((by) => [by, elsewhere(by)]);
    const answers = await Promise.all(both.map((by) => by.put(`${path}/interested`)));
    expect(answers.map(({ status }) => status)).toEqual(both.map(() => 204));
    expect(await shownIn(viewer, message)).toEqual({ ...event, interested_count: 3, me: true });
    const gone = await Promise.all(both.slice(2).map((by) => by.delete(`${path}/interested`)));
    expect(gone.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    expect(await shownIn(owner, message)).toEqual({ ...event, interested_count: 1, me: true });
    expect((await viewer.delete(path)).status).toBe(204);
    expect(await viewer.put(`${path}/interested`)).toMatchObject({ status: 404, body: error("Event not found") });
    await stage.heard();
  });

  test("is for accounts that may see the event", async () => {
    const { path } = await schedule();
    for (const method of ["put", "delete"] as const) {
      expect(await stage.stranger[method](`${path}/interested`)).toMatchObject({
        status: 404,
        body: error("Event not found"),
      });
      expect(await stage.outsider[method](`${path}/interested`)).toMatchObject({
        status: 403,
        body: error("You don't have permission to view this channel"),
      });
    }
  });

  test.each([
    ["15 minutes before it", 20, 15],
    ["at its start, when it is nearer", 10, 0],
  ])("plans the first push %s, and another start plans it anew", async (_, minutes, before) => {
    const startsIn = (more: number) => new Date(Date.now() + (minutes + more) * 60_000).toISOString();
    const { event, path } = await schedule({ starts_at: startsIn(0) });
    const planned = async () => {
      const [row] = await runSql(
        stage.stack.databaseUrl,
        "SELECT extract(epoch FROM starts_at - notice_due_at)::int AS lead FROM scheduled_events WHERE id = $1",
        [event.id],
      );
      return Object(row).lead;
    };
    expect(await planned()).toBeNull();
    await stage.viewer.put(`${path}/interested`);
    expect(await planned()).toBe(before * 60);
    await stage.viewer.patch(path, { starts_at: startsIn(2) });
    expect(await planned()).toBe(before * 60);
    await stage.viewer.patch(path, { starts_at: startsIn(60) });
    expect(await planned()).toBe(15 * 60);
    await stage.heard();
  });
});

describe("a calendar", () => {
  const make = async (by: UserClient) =>
    (await by.post("/users/@me/calendar")).expect(200, z.strictObject({ url: z.string() })).url;
  /** Reads the address without credentials. */
  const read = async (url: string) => {
    const answer = await fetch(url.replace(new URL(url).origin, stage.stack.edgeUrl));
    return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
  };

  test("has the events that its account is interested in and may see, now", async () => {
    const { owner, viewer, hidden } = stage;
    const interesting = await schedule({
      name: "Simul",
      place: "Hall",
      ends_at: inHours(2),
      voice_channel_id: voiceId,
    });
    const dull = await schedule({ name: "Dull" });
    await viewer.put(`${interesting.path}/interested`);
    await owner.put(`${dull.path}/interested`);
    const url = await make(viewer);
    expect(new URL(url).pathname).toMatch(/^\/api\/calendars\/[0-9a-f]{64}$/);
    const { status, type, text } = await read(url);
    expect([status, type]).toEqual([200, "text/calendar; charset=utf-8"]);
    expect(text).toContain(`UID:${interesting.event.id}@`);
    expect(text).toContain("LOCATION:Hall\\, lounge\\, ");
    expect(text).not.toContain("Dull");
    await viewer.patch(interesting.path, { name: "Grand simul" });
    expect((await read(url)).text).toContain("SUMMARY:Grand simul\r\n");
    await deny(owner, hidden.id, { userId: viewer.user.id, permissions: ["VIEW_CHANNEL"] });
    const blind = await read(url);
    expect([blind.status, blind.text]).toEqual([200, expect.not.stringContaining("VEVENT")]);
    await deny(owner, hidden.id, { userId: viewer.user.id, permissions: [] });
  });

  test("has another address each time it is made, and the one from before ends", async () => {
    const { admin } = stage;
    const first = await make(admin);
    expect((await read(first)).status).toBe(200);
    const second = await make(admin);
    expect(second).not.toBe(first);
    expect((await read(second)).status).toBe(200);
    const ended = await read(first);
    expect([ended.status, JSON.parse(ended.text)]).toEqual([404, error("Calendar not found")]);
    expect((await createClient(stage.stack.edgeUrl).post("/users/@me/calendar")).status).toBe(401);
  });
});
