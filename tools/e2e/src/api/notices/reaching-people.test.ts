import { BlockList, DmChannel, DmMessage, errorBody, FriendList, User } from "@parley/contracts";
import {
  createClient,
  createServer,
  createServerWithMembers,
  joinServer,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createBot, createConnections } from "../stages/connection-stage.js";
import { formOf } from "../stages/upload-stage.js";

let stack: SharedStack;
let clients: readonly [RestClient, RestClient];
let connections: ReturnType<typeof createConnections>;

beforeAll(async () => {
  stack = await sharedStack();
  const [first, second] = stack.apis;
  clients = [createClient(first?.url ?? ""), createClient(second?.url ?? "")];
  connections = createConnections(stack);
});
afterAll(() => connections?.closeAll());

const refused = errorBody("You cannot message this user");
const register = () => clients[0].register();
/** Requests of a user through the other api. */
const elsewhere = ({ accessToken }: UserClient) => clients[1].withAuthorization(`Bearer ${accessToken}`);
const block = async (user: UserClient, other: UserClient) =>
  expect((await user.put(`/users/@me/blocks/${other.user.id}`)).status).toBe(204);
const unblock = async (user: UserClient, other: UserClient) =>
  expect((await user.delete(`/users/@me/blocks/${other.user.id}`)).status).toBe(204);
const befriend = (user: RestClient, other: UserClient) => user.put(`/users/@me/friends/${other.user.id}`);
const makeFriends = async (one: UserClient, other: UserClient) => {
  for (const [from, to] of [[one, other] as const, [other, one] as const])
    expect((await befriend(from, to)).status).toBe(204);
};
const friendsOf = async (user: RestClient) => {
  const { friends, incoming, outgoing } = (await user.get("/users/@me/friends")).expect(200, FriendList.strict());
  const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);
  return { friends: ids(friends), incoming: ids(incoming), outgoing: ids(outgoing) };
};
const nobody = { friends: [], incoming: [], outgoing: [] };

/** Pairs of users, one of whom tries to reach the other, and the obstacle between them. */
const relations = {
  blocked: (from, to) => block(to, from),
  blocker: (from, to) => block(from, to),
  friend: (from, to) => makeFriends(from, to),
  "member of a server of theirs": async (from, to) => {
    const { id } = await createServer(to, { is_public: true });
    await joinServer(from, id);
  },
  stranger: async () => undefined,
} satisfies Record<string, (from: UserClient, to: UserClient) => Promise<unknown>>;

const everybody = ["friend", "member of a server of theirs", "stranger"];
const reached: Record<string, readonly string[]> = {
  everyone: everybody,
  servers: ["friend", "member of a server of theirs"],
  friends: ["friend"],
};
const cases = Object.entries(reached).flatMap(([dmsFrom, who]) =>
  Object.entries(relations).map(([relation, relate]) => ({
    dmsFrom,
    relation,
    relate,
    isReached: who.includes(relation),
  })),
);

describe("who reaches whom", () => {
  test.each(cases)("with dms_from $dmsFrom, a $relation reaches somebody: $isReached, by both apis", async (scene) => {
    const { dmsFrom, relation, relate, isReached } = scene;
    const [from, to, old] = [await register(), await register(), await register()];
    const channelId = (await from.post("/dm-channels", { user_id: old.user.id })).expect(201, DmChannel).id;
    const own = (await from.post(`/dm-channels/${channelId}/messages`, { content: "before" })).expect(
      201,
      DmMessage,
    ).id;
    expect((await from.put(`/dm-messages/${own}/reactions/🅰️`)).status).toBe(204);
    for (const user of [to, old]) {
      expect((await user.patch("/users/@me", { dms_from: dmsFrom })).expect(200, User).dms_from).toBe(dmsFrom);
      await relate(from, user);
    }
    for (const caller of [elsewhere(from), from]) {
      const message = await caller.post(`/dm-channels/${channelId}/messages`, { content: "hello" });
      if (isReached) expect(message.status).toBe(201);
      else expect(message.expect(403, z.unknown())).toEqual(refused);
    }
    const file = formOf([{ name: "a.txt", bytes: Buffer.from("abc") }]);
    const whole = formOf([{ name: "a.txt", bytes: Buffer.from("abc") }]);
    whole.append("payload_json", JSON.stringify({ content: "with a file" }));
    for (const [status, answer] of [
      [200, await from.patch(`/dm-messages/${own}`, { content: "after" })],
      [204, await elsewhere(from).put(`/dm-messages/${own}/reactions/🅱️`)],
      [201, await from.send("POST", `/dm-messages/${own}/attachments`, { body: file })],
      [201, await from.post(`/dm-channels/${channelId}/messages`, { content: "hello", reply_to: own })],
      [201, await elsewhere(from).send("POST", `/dm-channels/${channelId}/messages`, { body: whole })],
    ] as const) {
      if (isReached) expect(answer.status).toBe(status);
      else expect(answer.expect(403, z.unknown())).toEqual(refused);
    }
    const opened = await elsewhere(from).post("/dm-channels", { user_id: to.user.id });
    if (isReached) expect(opened.status).toBe(201);
    else expect(opened.expect(403, z.unknown())).toEqual(refused);
    // Taking back is not writing.
    expect((await from.delete(`/dm-messages/${own}/reactions/🅰️`)).status).toBe(204);
    expect((await from.delete(`/dm-messages/${own}`)).status).toBe(204);
    // Reading goes on, and friendship is the way to those who hear friends only.
    expect((await from.post("/dm-channels", { user_id: old.user.id })).status).toBe(200);
    const asked = await befriend(elsewhere(from), to);
    expect(asked.status).toBe(everybody.includes(relation) ? 204 : 403);
  });

  test("a bot is one of those who may or may not write, and takes part in blocks", async () => {
    const [owner, person] = [await register(), await register()];
    const bot = clients[1].withAuthorization(`Bot ${(await createBot(owner)).token}`);
    const { id } = (await bot.get("/users/@me")).expect(200, User);
    expect((await person.patch("/users/@me", { dms_from: "servers" })).status).toBe(200);
    const open = () => bot.post("/dm-channels", { user_id: person.user.id });
    expect((await open()).expect(403, z.unknown())).toEqual(refused);
    await joinServer(bot, (await createServer(person, { is_public: true })).id);
    const channelId = (await open()).expect(201, DmChannel).id;
    expect((await person.put(`/users/@me/blocks/${id}`)).status).toBe(204);
    const message = await bot.post(`/dm-channels/${channelId}/messages`, { content: "beep" });
    expect(message.expect(403, z.unknown())).toEqual(refused);
  });

  test("an account's choice of who may write is returned once it was made, and to nobody else", async () => {
    const [ann, bob] = [await register(), await register()];
    expect(ann.user).not.toHaveProperty("dms_from");
    const refusal = await ann.patch("/users/@me", { dms_from: "nobody" });
    expect(refusal.expect(400, z.unknown())).toEqual(errorBody("dms_from must be everyone, servers or friends"));
    expect((await ann.patch("/users/@me", { dms_from: null })).expect(200, User)).not.toHaveProperty("dms_from");
    expect((await ann.patch("/users/@me", { dms_from: "everyone" })).expect(200, User.strict()).dms_from).toBe(
      "everyone",
    );
    const { user } = await (await connections.open(ann.accessToken, 1)).ready;
    expect(user.dms_from).toBe("everyone");
    const channel = (await bob.post("/dm-channels", { user_id: ann.user.id })).expect(201, DmChannel);
    expect(channel.recipient).not.toHaveProperty("dms_from");
  });
});

describe("a block", () => {
  test("a block and its end are in force at both apis with their answers", async () => {
    const [ann, bob] = [await register(), await register()];
    const channelId = (await ann.post("/dm-channels", { user_id: bob.user.id })).expect(201, DmChannel).id;
    const say = async (user: RestClient) =>
      (await user.post(`/dm-channels/${channelId}/messages`, { content: "hi" })).status;
    for (let round = 0; round < 3; round += 1) {
      const during = Array.from({ length: 10 }, () => say(elsewhere(bob)));
      await block(ann, bob);
      expect(await Promise.all([say(elsewhere(bob)), say(bob), say(elsewhere(ann)), say(ann)])).toEqual([
        ...[403, 403, 403, 403],
      ]);
      expect(new Set([201, 403, ...(await Promise.all(during))]).size).toBe(2);
      await unblock(ann, bob);
      expect(await Promise.all([say(elsewhere(bob)), say(ann)])).toEqual([201, 201]);
    }
  });

  test("a block may be repeated, is listed, and is not one of oneself or of nobody", async () => {
    const [ann, bob] = [await register(), await register()];
    for (const path of ["blocks", "friends"]) {
      const missing = "00000000-0000-7000-8000-000000000000";
      expect((await ann.put(`/users/@me/${path}/${missing}`)).expect(404, z.unknown())).toEqual(
        errorBody("User not found"),
      );
      expect((await ann.put(`/users/@me/${path}/x`)).status).toBe(400);
      expect((await ann.delete(`/users/@me/${path}/${bob.user.id}`)).status).toBe(204);
    }
    const own = await ann.put(`/users/@me/blocks/${ann.user.id}`);
    expect(own.expect(400, z.unknown())).toEqual(errorBody("Cannot block yourself"));
    expect((await befriend(ann, ann)).expect(400, z.unknown())).toEqual(errorBody("Cannot befriend yourself"));
    for (const _ of [1, 2]) await block(ann, bob);
    const { blocks } = (await elsewhere(ann).get("/users/@me/blocks")).expect(200, BlockList.strict());
    expect(blocks.map(({ id }) => id)).toEqual([bob.user.id]);
    for (const _ of [1, 2]) await unblock(ann, bob);
    expect((await ann.get("/users/@me/blocks")).body).toEqual({ blocks: [] });
  });

  test("a mention by somebody blocked is unread and no mention in READY", async () => {
    const { owner, members, channel } = await createServerWithMembers(clients[0], 2);
    const [loud, other] = members;
    await block(owner, loud);
    for (const author of [loud, other]) await postMessage(author, channel.id, `@${owner.username} look`);
    const { unread_counts, mention_counts } = await (await connections.open(owner.accessToken, 0)).ready;
    expect(unread_counts).toEqual([{ channel_id: channel.id, unread_count: 2 }]);
    expect(mention_counts).toEqual([{ channel_id: channel.id, count: 1 }]);
    await unblock(owner, loud);
    const again = await (await connections.open(owner.accessToken, 1)).ready;
    expect(again.mention_counts).toEqual([{ channel_id: channel.id, count: 2 }]);
  });

  test("nobody sees somebody typing who may not write to them", async () => {
    const [ann, bob] = [await register(), await register()];
    const channel_id = (await ann.post("/dm-channels", { user_id: bob.user.id })).expect(201, DmChannel).id;
    const [ofAnn, ofBob] = [await connections.open(ann.accessToken, 0), await connections.open(bob.accessToken, 1)];
    await block(ann, bob);
    ofBob.send("TYPING_START", { channel_id });
    await ofBob.heartbeat();
    await unblock(ann, bob);
    expect((await bob.post(`/dm-channels/${channel_id}/messages`, { content: "hi" })).status).toBe(201);
    await ofAnn.waitFor("DM_MESSAGE_CREATE");
    expect(ofAnn.events.map(({ name }) => name)).not.toContain("TYPING_START");
  });
});

describe("friends", () => {
  test("of requests that cross by two apis at once the second accepts the first", async () => {
    for (let round = 0; round < 5; round += 1) {
      const [ann, bob] = [await register(), await register()];
      const answers = await Promise.all([befriend(ann, bob), befriend(elsewhere(bob), ann)]);
      expect(answers.map(({ status }) => status)).toEqual([204, 204]);
      expect(await friendsOf(ann)).toEqual({ ...nobody, friends: [bob.user.id] });
      expect(await friendsOf(elsewhere(bob))).toEqual({ ...nobody, friends: [ann.user.id] });
    }
  });

  test("of a request and a block at once the block stays, and no request", async () => {
    const [ann, bob] = [await register(), await register()];
    await Promise.all([befriend(elsewhere(bob), ann), block(ann, bob)]);
    expect([await friendsOf(ann), await friendsOf(bob)]).toEqual([nobody, nobody]);
  });

  test("a request is refused, taken back, repeated without effect, and ended by a block", async () => {
    const [ann, bob] = [await register(), await register()];
    for (const ending of [
      () => bob.delete(`/users/@me/friends/${ann.user.id}`),
      () => ann.delete(`/users/@me/friends/${bob.user.id}`),
      () => bob.put(`/users/@me/blocks/${ann.user.id}`),
    ]) {
      for (const _ of [1, 2]) expect((await befriend(ann, bob)).status).toBe(204);
      expect([await friendsOf(ann), await friendsOf(bob)]).toEqual([
        { ...nobody, outgoing: [bob.user.id] },
        { ...nobody, incoming: [ann.user.id] },
      ]);
      expect((await ending()).status).toBe(204);
      expect([await friendsOf(ann), await friendsOf(bob)]).toEqual([nobody, nobody]);
    }
  });

  test("an account makes so many requests a day and no more, refused ones not counted", async () => {
    const [ann, bob] = [await register(), await register()];
    await block(bob, ann);
    expect((await befriend(ann, bob)).status).toBe(403);
    await unblock(bob, ann);
    const ask = async () => {
      const { status } = await befriend(ann, bob);
      await ann.delete(`/users/@me/friends/${bob.user.id}`);
      return status;
    };
    for (let n = 0; n < 100; n += 1) expect(await ask()).toBe(204);
    const over = await befriend(elsewhere(ann), bob);
    expect([over.status, Number(over.headers.get("retry-after")) > 0]).toEqual([429, true]);
    // To accept is no request.
    expect([(await befriend(bob, ann)).status, (await befriend(ann, bob)).status]).toEqual([204, 204]);
  });
});
