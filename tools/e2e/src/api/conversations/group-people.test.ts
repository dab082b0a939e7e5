import { DmMessage, GroupChannel } from "@parley/contracts";
import type { RestClient, UserClient } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runSql } from "../stages/admin-stage.js";
import { expectError } from "./direct-stage.js";
import { type GroupStage, startGroupStage } from "./group-stage.js";

let stage: GroupStage;
beforeAll(async () => {
  stage = await startGroupStage();
});
afterAll(() => stage?.stop());

const recipientPath = ({ id }: { id: string }, { user }: UserClient) => `/dm-channels/${id}/recipients/${user.id}`;
const leave = (person: RestClient, { id }: { id: string }) => person.delete(`/dm-channels/${id}/recipients/@me`);
/** The members of a group, the owner first. */
const peopleIn = async ({ id }: { id: string }): Promise<unknown[]> =>
  (
    await runSql(
      stage.stack.databaseUrl,
      "SELECT user_id FROM dm_group_members WHERE channel_id = $1 ORDER BY position",
      [id],
    )
  ).map((row) => Object(row).user_id);

describe("changes of a group through two apis at once", () => {
  test("two who are added at once never make eleven", async () => {
    const [ann, bob, ...others] = await stage.people(13);
    if (ann === undefined || bob === undefined) throw new Error("Nobody is registered.");
    const group = await stage.open(ann, [bob, ...others.slice(0, 7)]);
    const answers = await Promise.all(
      others
        .slice(7)
        .map((person, at) =>
          stage.at(at % 2 === 0 ? 0 : 1, at % 2 === 0 ? ann : bob).put(recipientPath(group, person)),
        ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 400, 400, 400]);
    for (const answer of answers.filter(({ status }) => status === 400))
      expectError(answer, 400, "Groups have at most 10 people");
    expect(await peopleIn(group)).toHaveLength(10);
  });

  test("there is one owner while the owner leaves and another adds somebody, and nothing once all have left at once", async () => {
    const [ann, bob, cat, dan] = await stage.people(4);
    if (ann === undefined || bob === undefined || cat === undefined || dan === undefined)
      throw new Error("Nobody is registered.");
    const group = await stage.open(ann, [bob, cat]);
    const [left, added] = await Promise.all([
      leave(stage.at(0, ann), group),
      stage.at(1, bob).put(recipientPath(group, dan)),
    ]);
    expect([left.status, added.status]).toEqual([204, 204]);
    expect(await peopleIn(group)).toEqual([bob, cat, dan].map(({ user }) => user.id));
    const [seen] = (await dan.get("/dm-channels?groups=true")).expect(200, GroupChannel.array());
    expect(seen?.owner_id).toBe(bob.user.id);
    const gone = await Promise.all(
      [bob, cat, dan].map((person, at) => leave(stage.at(at === 1 ? 1 : 0, person), group)),
    );
    expect(gone.map(({ status }) => status)).toEqual([204, 204, 204]);
    await expect
      .poll(() => runSql(stage.stack.databaseUrl, "SELECT id FROM dm_channels WHERE id = $1", [group.id]))
      .toEqual([]);
  });

  test("a removed user gets no message that is sent after that, whatever was under way", async () => {
    const [ann, bob, cat] = await stage.people(3);
    if (ann === undefined || bob === undefined || cat === undefined) throw new Error("Nobody is registered.");
    const group = await stage.open(ann, [bob, cat]);
    const [annHears, catHears] = [await stage.connect(ann, "v=2"), await stage.connect(cat, "v=2", 1)];
    const send = (by: UserClient, at: number) =>
      stage.at(at % 2 === 0 ? 0 : 1, by).post(`/dm-channels/${group.id}/messages`, { content: `number ${at}` });
    const sent = Array.from({ length: 12 }, (_, at) => send(at % 3 === 0 ? cat : bob, at));
    const removed = stage.at(1, ann).delete(recipientPath(group, cat));
    const late = Array.from({ length: 12 }, (_, at) => send(at % 3 === 0 ? cat : bob, 12 + at));
    expect((await removed).status).toBe(204);
    const stored = (await Promise.all([...sent, ...late])).flatMap(({ status, body }) =>
      status === 201 ? [DmMessage.parse(body)] : [],
    );
    await Promise.all(stored.map(({ id }) => annHears.waitFor("DM_MESSAGE_CREATE", (message) => message.id === id)));
    await stage.caughtUp(cat, [catHears]);
    await stage.caughtUp(ann, [annHears]);
    const names = (heard: typeof annHears) => {
      const own = heard.events.filter(({ payload }) => Object(payload).channel_id === group.id);
      return own.slice(0, own.findIndex(({ name }) => name === "DM_CHANNEL_LEAVE") + 1).map(({ payload }) => payload);
    };
    // Up to the end both have the same, and afterwards one of them has nothing.
    expect(names(catHears)).toEqual(names(annHears));
    const last = catHears.events.filter(({ payload }) => Object(payload).channel_id === group.id).at(-1);
    expect(last?.name).toBe("DM_CHANNEL_LEAVE");
    const authors = annHears.events
      .slice(annHears.events.findIndex(({ name }) => name === "DM_CHANNEL_LEAVE"))
      .map(({ payload }) => Object(payload).author_id);
    expect(authors).not.toContain(cat.user.id);
  });
});

describe("which users may be invited to a group", () => {
  test("nobody invites whom they may not write to, and groups go on between people who block each other", async () => {
    const [ann, bob, cat, dan] = await stage.people(4);
    if (ann === undefined || bob === undefined || cat === undefined || dan === undefined)
      throw new Error("Nobody is registered.");
    const group = await stage.open(ann, [bob, cat]);
    await dan.put(`/users/@me/blocks/${ann.user.id}`);
    const refused = "You cannot message this user";
    const open = { user_ids: [bob.user.id, dan.user.id] };
    expectError(await ann.post("/dm-channels", open), 403, refused);
    expectError(await ann.put(recipientPath(group, dan)), 403, refused);
    expectError(await dan.post("/dm-channels", { user_ids: [bob.user.id, ann.user.id] }), 403, refused);
    await cat.patch("/users/@me", { dms_from: "friends" });
    expectError(await bob.post("/dm-channels", { user_ids: [ann.user.id, cat.user.id] }), 403, refused);
    // The others may.
    expect((await bob.put(recipientPath(group, dan))).status).toBe(204);
    for (const person of [ann, dan, cat]) {
      const sent = (await person.post(`/dm-channels/${group.id}/messages`, { content: "goes on" })).expect(
        201,
        DmMessage,
      );
      expect((await bob.put(`/dm-messages/${sent.id}/reactions/❌`)).status).toBe(204);
      expect((await person.patch(`/dm-messages/${sent.id}`, { content: "went on" })).status).toBe(200);
    }
  });

  test("an account is in a hundred groups at most", async () => {
    const [ann, bob, cat, dan] = await stage.people(4);
    if (ann === undefined || bob === undefined || cat === undefined || dan === undefined)
      throw new Error("Nobody is registered.");
    const group = await stage.open(ann, [bob, cat]);
    await runSql(
      stage.stack.databaseUrl,
      `WITH made AS (INSERT INTO dm_channels (name) SELECT 'full' FROM generate_series(1, 100) RETURNING id)
        INSERT INTO dm_group_members (channel_id, user_id, position) SELECT id, $1, 1 FROM made`,
      [dan.user.id],
    );
    const full = "Limit of 100 groups reached";
    expectError(await ann.put(recipientPath(group, dan)), 400, full);
    expectError(await ann.post("/dm-channels", { user_ids: [bob.user.id, dan.user.id] }), 400, full);
    const { dm_channels } = await (await stage.connect(dan, "v=2")).ready;
    expect(dm_channels).toHaveLength(100);
  });

  test("a deleted account leaves its groups, where its messages stay without their author", async () => {
    const [ann, bob, cat] = await stage.people(3);
    if (ann === undefined || bob === undefined || cat === undefined) throw new Error("Nobody is registered.");
    const group = await stage.open(ann, [bob, cat]);
    const sent = (await ann.post(`/dm-channels/${group.id}/messages`, { content: "stays" })).expect(201, DmMessage);
    const bobHears = await stage.connect(bob, "v=2");
    expect((await ann.delete("/users/@me", { password: ann.password })).status).toBe(204);
    await bobHears.waitFor("DM_CHANNEL_LEAVE", ({ user_id }) => user_id === ann.user.id);
    const updated = await bobHears.waitFor("DM_CHANNEL_UPDATE");
    expect([updated.owner_id, updated.recipients.map(({ id }) => id)]).toEqual([bob.user.id, [cat.user.id]]);
    const history = (await bob.get(`/dm-channels/${group.id}/messages`)).expect(200, DmMessage.array());
    expect(history).toEqual([{ ...sent, author_id: null }]);
  });
});
