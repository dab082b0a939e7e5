import { randomUUID } from "node:crypto";
import { AnyDmChannel, DmMessage, GroupChannel, ReactionCount, SearchPage } from "@parley/contracts";
import { type Answer, asAuthor, type UserClient, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runSql } from "../stages/admin-stage.js";
import { pngPixel } from "../stages/sample-files.js";
import { formOf } from "../stages/upload-stage.js";
import { expectError } from "./direct-stage.js";
import { type GroupStage, startGroupStage } from "./group-stage.js";

let stage: GroupStage;
beforeAll(async () => {
  stage = await startGroupStage();
});
afterAll(() => stage?.stop());

const groupsOf = async (person: UserClient) =>
  (await person.get("/dm-channels?groups=true")).expect(200, AnyDmChannel.array()).filter((one) => "type" in one);
const idsOf = (people: readonly { id: string }[]) => people.map(({ id }) => id);
const recipientPath = ({ id }: { id: string }, { user }: UserClient) => `/dm-channels/${id}/recipients/${user.id}`;
const expectAll = (answers: readonly Answer[], status: number) =>
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status));

describe("a conversation of several", () => {
  test("all in it get what happens there with v=2, and no connection without it gets anything", async () => {
    const [ann, bob, cat] = await stage.people(3);
    if (ann === undefined || bob === undefined || cat === undefined) throw new Error("Nobody is registered.");
    const connections = await Promise.all(
      [ann, bob, cat].map(async (person, at) => ({
        person,
        whole: await stage.connect(person, "v=2", at === 1 ? 1 : 0),
        plain: await stage.connect(person, "", at === 2 ? 1 : 0),
      })),
    );
    const group = await stage.open(ann, [bob, cat], "  Chess  ");
    expect(group).toMatchObject({ type: "group", name: "Chess", owner_id: ann.user.id, icon_url: null });
    expect([idsOf(group.recipients), group.recipient.id]).toEqual([[bob.user.id, cat.user.id], bob.user.id]);

    const path = `/dm-channels/${group.id}`;
    const sent = (await bob.post(`${path}/messages`, { content: "knights before bishops" })).expect(201, DmMessage);
    const reply = { content: "a reply", reply_to: sent.id, nonce: randomUUID() };
    expect((await cat.post(`${path}/messages`, reply)).status).toBe(201);
    const file = { name: "a.txt", bytes: Buffer.from("a") };
    const form = formOf([file]);
    form.append("payload_json", JSON.stringify({ content: "with a file" }));
    expect((await ann.send("POST", `${path}/messages`, { body: form })).status).toBe(201);
    const message = `/dm-messages/${sent.id}`;
    for (const answer of [
      await bob.patch(message, { content: "bishops before knights" }),
      await cat.put(`${message}/reactions/❌`),
      await bob.send("POST", `${message}/attachments`, { body: formOf([file]) }),
      await cat.delete(`${message}/reactions/❌`),
    ]) {
      expect(answer.status).toBeLessThan(300);
    }
    connections[1]?.whole.send("TYPING_START", { channel_id: group.id });
    await Promise.all(
      connections.map(({ whole }) => whole.waitFor("TYPING_START", ({ channel_id }) => channel_id === group.id)),
    );
    expect((await bob.delete(message)).status).toBe(204);
    for (const { person, whole, plain } of connections) {
      await whole.waitFor("DM_MESSAGE_DELETE");
      const later = ["PRESENCE_UPDATE", "INBOX_UPDATE"];
      const heard = whole.events.map(({ name }) => name).filter((name) => !later.includes(name));
      const files = "DM_ATTACHMENT_CREATE";
      expect(heard.filter((name) => name !== "TYPING_START")).toEqual([
        "DM_CHANNEL_CREATE",
        ...["DM_MESSAGE_CREATE", "DM_MESSAGE_CREATE", "DM_MESSAGE_CREATE", "DM_MESSAGE_UPDATE"],
        ...["DM_REACTION_ADD", files, "DM_REACTION_REMOVE", "DM_MESSAGE_DELETE"],
      ]);
      const opened = await whole.waitFor("DM_CHANNEL_CREATE");
      const others = [ann, bob, cat].filter((one) => one !== person).map(({ user }) => user.id);
      expect("recipients" in opened ? idsOf(opened.recipients) : null).toEqual(others);
      expect(await whole.waitFor("DM_MESSAGE_CREATE")).toEqual({ ...sent, author: asAuthor(bob) });
      await stage.caughtUp(person, [whole, plain]);
      expect(plain.frames.filter((frame) => frame.includes(group.id))).toEqual([]);
    }
  });

  test("lists and READY have groups only where they are asked for, in one order with the channels of two", async () => {
    const [ann, bob, cat] = await stage.people(3);
    if (ann === undefined || bob === undefined || cat === undefined) throw new Error("Nobody is registered.");
    const unused = await stage.open(ann, [bob, cat]);
    const pair = Object((await ann.post("/dm-channels", { user_id: bob.user.id })).body).id;
    const used = await stage.open(ann, [bob, cat], "Used");
    await bob.post(`/dm-channels/${pair}/messages`, { content: "first" });
    await bob.post(`/dm-channels/${used.id}/messages`, { content: "second" });
    const list = async (query: string) => (await ann.get(`/dm-channels${query}`)).expect(200, AnyDmChannel.array());
    const all = await list("?groups=true");
    expect(idsOf(all)).toEqual([used.id, pair, unused.id]);
    expect(all[0]).toEqual({ ...used, last_message_at: expect.stringMatching(/Z$/) });
    expect(idsOf(await list(""))).toEqual([pair]);
    expect(idsOf(await list("?groups=false"))).toEqual([pair]);
    const first = await list("?groups=true&limit=1");
    expect(idsOf(await list(`?groups=true&before=${first[0]?.last_message_at}`))).toEqual([pair, unused.id]);
    expect(idsOf(await list(`?groups=true&before=${unused.id}`))).toEqual([]);
    expectError(await ann.get("/dm-channels?groups=yes"), 400, "groups must be true or false");

    const whole = await (await stage.connect(ann, "v=2")).ready;
    expect(whole.dm_channels).toEqual(all);
    expect(new Set(whole.unread_counts)).toEqual(
      new Set([used.id, pair].map((channel_id) => ({ channel_id, unread_count: 1 }))),
    );
    const plain = await (await stage.connect(ann, "")).ready;
    expect([idsOf(plain.dm_channels), plain.unread_counts]).toEqual([[pair], [{ channel_id: pair, unread_count: 1 }]]);
    expect((await ann.post(`/dm-channels/${used.id}/ack`)).status).toBe(204);
    expect((await (await stage.connect(ann, "v=2")).ready).unread_counts).toEqual([
      { channel_id: pair, unread_count: 1 },
    ]);
  });

  test("its messages, search, reactions and files are for those in it, and end with leaving it", async () => {
    const [ann, bob, cat, eve] = await stage.people(4);
    if (ann === undefined || bob === undefined || cat === undefined || eve === undefined)
      throw new Error("Nobody is registered.");
    const group = await stage.open(ann, [bob, cat]);
    const path = `/dm-channels/${group.id}`;
    const sent = (await bob.post(`${path}/messages`, { content: "a gambit" })).expect(201, DmMessage);
    await cat.put(`/dm-messages/${sent.id}/reactions/❌`);
    const upload = { body: formOf([{ name: "a.txt", bytes: Buffer.from("a") }]) };
    const [file] = Object((await bob.send("POST", `/dm-messages/${sent.id}/attachments`, upload)).body);
    const fileOf = (person: UserClient) => person.get(String(file.url).split("?")[0] ?? "");
    expect((await cat.get(`${path}/search?q=gambit`)).expect(200, SearchPage).total).toBe(1);
    expect((await ann.get(`/dm-messages/${sent.id}/reactions`)).expect(200, ReactionCount.array())).toHaveLength(1);
    expect((await fileOf(cat)).status).toBe(200);
    expect((await cat.delete(`${path}/recipients/@me`)).status).toBe(204);
    for (const stranger of [cat, eve]) {
      for (const answer of [
        await stranger.get(`${path}/messages`),
        await stranger.post(`${path}/messages`, { content: "x" }),
        await stranger.get(`${path}/search?q=gambit`),
        await stranger.post(`${path}/ack`),
        await stranger.patch(path, { name: "x" }),
        await stranger.put(recipientPath(group, eve)),
        await stranger.delete(recipientPath(group, bob)),
        await stranger.delete(`${path}/recipients/@me`),
        await stranger.delete(`${path}/icon`),
      ]) {
        expectError(answer, 404, "DM channel not found");
      }
      expectError(await stranger.put(`/dm-messages/${sent.id}/reactions/✅`), 404, "Message not found");
      expectError(await fileOf(stranger), 404, "Attachment not found");
    }
    expect(await groupsOf(cat)).toEqual([]);
  });
});

describe("opening and changing a group", () => {
  test("what is no group of three to ten is refused, and so is what only groups have elsewhere", async () => {
    const [ann, ...others] = await stage.people(4);
    const [bob] = others;
    if (ann === undefined || bob === undefined) throw new Error("Nobody is registered.");
    const ids = idsOf(others.map(({ user }) => user));
    const many = Array.from({ length: 10 }, () => randomUUID());
    for (const [body, status, text] of [
      [{}, 400, "Invalid user_id"],
      [{ user_ids: ids.slice(1, 2) }, 400, "user_ids must name at least 2 users"],
      [{ user_ids: [bob.user.id, bob.user.id] }, 400, "user_ids must name at least 2 users"],
      [{ user_ids: "x" }, 400, "user_ids must name at least 2 users"],
      [{ user_ids: ["x", ...ids] }, 400, "Invalid user_id"],
      [{ user_ids: many }, 400, "Groups have at most 10 people"],
      [{ user_ids: [...ids, ann.user.id] }, 400, "Cannot open a DM channel with yourself"],
      [{ user_ids: ids, name: "x".repeat(101) }, 400, "Group name must be at most 100 characters"],
      [{ user_ids: [...ids, randomUUID()] }, 404, "User not found"],
    ] as const) {
      expectError(await ann.post("/dm-channels", body), status, text);
    }
    const pair = `/dm-channels/${Object((await ann.post("/dm-channels", { user_id: bob.user.id })).body).id}`;
    for (const answer of [
      await ann.patch(pair, { name: "x" }),
      await ann.put(`${pair}/recipients/${ids[1]}`),
      await ann.delete(`${pair}/recipients/${bob.user.id}`),
      await ann.delete(`${pair}/recipients/@me`),
      await ann.delete(`${pair}/icon`),
    ]) {
      expectError(answer, 400, "This DM channel is not a group");
    }
    const group = await stage.open(ann, others);
    expectError(await ann.put(`/dm-channels/${group.id}/recipients/${randomUUID()}`), 404, "User not found");
    expectError(await ann.delete(`/dm-channels/${group.id}/recipients/${randomUUID()}`), 404, "Recipient not found");
    expectError(await bob.delete(recipientPath(group, ann)), 403, "Only the group owner can remove others");
  });

  test("anybody names it and adds people, the owner removes them, and everybody hears how it is then", async () => {
    const [ann, bob, cat, dan] = await stage.people(4);
    if (ann === undefined || bob === undefined || cat === undefined || dan === undefined)
      throw new Error("Nobody is registered.");
    const group = await stage.open(ann, [bob, cat]);
    const [annHears, danHears] = [await stage.connect(ann, "v=2"), await stage.connect(dan, "v=2", 1)];
    const named = (await cat.patch(`/dm-channels/${group.id}`, { name: "Rooks" })).expect(200, GroupChannel.strict());
    expect([named.name, idsOf(named.recipients)]).toEqual(["Rooks", [ann.user.id, bob.user.id]]);
    expect(await annHears.waitFor("DM_CHANNEL_UPDATE")).toEqual({ ...group, name: "Rooks" });
    const same = (await cat.patch(`/dm-channels/${group.id}`, {})).expect(200, GroupChannel);
    expect(same).toEqual(named);

    await ann.post(`/dm-channels/${group.id}/messages`, { content: "before" });
    expectAll([await bob.put(recipientPath(group, dan)), await bob.put(recipientPath(group, dan))], 204);
    const opened = await danHears.waitFor("DM_CHANNEL_CREATE");
    expect("recipients" in opened ? idsOf(opened.recipients) : null).toEqual(
      [ann, bob, cat].map(({ user }) => user.id),
    );
    expect((await dan.get(`/dm-channels/${group.id}/messages`)).expect(200, DmMessage.array())).toHaveLength(1);
    expect((await (await stage.connect(dan, "v=2")).ready).unread_counts).toEqual([]);
    await ann.patch(`/dm-channels/${group.id}`, { name: null });
    await annHears.waitFor("DM_CHANNEL_UPDATE", ({ name, recipients }) => name === null && recipients.length === 3);
    expect((await ann.delete(recipientPath(group, bob))).status).toBe(204);
    const left = { channel_id: group.id, user_id: bob.user.id };
    expect(await danHears.waitFor("DM_CHANNEL_LEAVE")).toEqual(left);
    await danHears.waitFor("DM_CHANNEL_UPDATE", ({ recipients }) => recipients.length === 2);

    // The oldest member is the owner.
    expect((await ann.delete(recipientPath(group, ann))).status).toBe(204);
    const [seen] = await groupsOf(dan);
    expect(seen).toMatchObject({ owner_id: cat.user.id, recipient: { id: cat.user.id } });
    expect((await cat.delete(recipientPath(group, dan))).status).toBe(204);
    expect(await groupsOf(cat)).toMatchObject([{ recipient: { id: cat.user.id }, recipients: [] }]);
    // Named, a join, named, a leave: no event for a change without an effect, and none after leaving.
    await stage.caughtUp(ann, [annHears]);
    const updates = annHears.events.filter(({ name }) => name === "DM_CHANNEL_UPDATE");
    expect(updates).toHaveLength(4);
    expect(annHears.events.filter(({ name }) => name === "DM_CHANNEL_LEAVE").map(({ payload }) => payload)).toEqual([
      left,
      { channel_id: group.id, user_id: ann.user.id },
    ]);
    expect((await cat.delete(recipientPath(group, cat))).status).toBe(204);
    const rows = () => runSql(stage.stack.databaseUrl, "SELECT id FROM dm_channels WHERE id = $1", [group.id]);
    await waitUntil(async () => (await rows()).length === 0, { what: "a group that nobody is in to be removed" });
  });

  test("its owner chooses a picture, which goes with the group", async () => {
    const [ann, bob, cat] = await stage.people(3);
    if (ann === undefined || bob === undefined || cat === undefined) throw new Error("Nobody is registered.");
    const group = await stage.open(ann, [bob, cat]);
    const heard = await stage.connect(cat, "v=2");
    const form = () => {
      const body = new FormData();
      body.append("image", new Blob([Uint8Array.from(pngPixel)]), "group.png");
      return { body };
    };
    const path = `/dm-channels/${group.id}/icon`;
    expectError(await bob.send("POST", path, form()), 403, "Only the group owner can change its picture");
    expectError(await bob.delete(path), 403, "Only the group owner can change its picture");
    const { icon_url } = (await ann.send("POST", path, form())).expect(200, GroupChannel.strict());
    expect(icon_url).toMatch(/^\/media\/[0-9a-f]{64}$/);
    await heard.waitFor("DM_CHANNEL_UPDATE", (one) => one.icon_url === icon_url);
    expect((await bob.get(icon_url ?? "")).status).toBe(200);
    expect((await ann.delete(path)).status).toBe(204);
    await heard.waitFor("DM_CHANNEL_UPDATE", (one) => one.icon_url === null);
    expectAll([await ann.delete(path)], 204);
    expect((await ann.send("POST", path, form())).status).toBe(200);
    for (const person of [ann, bob, cat]) await person.delete(`/dm-channels/${group.id}/recipients/@me`);
    const released = () =>
      runSql(stage.stack.databaseUrl, "SELECT id FROM dm_channels WHERE icon_url = $1", [icon_url]);
    await waitUntil(async () => (await released()).length === 0);
  });
});
