import { BlockList, FriendList, PublicProfile } from "@parley/contracts";
import { createClient, type UserClient } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChangeStage, type Heard, heardBy, nothing, startChangeStage } from "./change-stage.js";

let stage: ChangeStage;
/** The viewer through the other api. */
let viewer: UserClient;

beforeAll(async () => {
  stage = await startChangeStage();
  const caller = createClient(stage.stack.apis[1]?.url ?? "").withAuthorization(`Bearer ${stage.viewer.accessToken}`);
  viewer = { ...stage.viewer, ...caller };
});
afterAll(() => stage?.connections.closeAll());

const profileOf = async (user: UserClient, id: string) => (await user.get(`/users/${id}`)).expect(200, PublicProfile);
const friendUpdate = async (other: UserClient, state: string): Promise<Heard> => [
  "FRIEND_UPDATE",
  { user: await profileOf(stage.owner, other.user.id), state },
];

test("every step of a friendship reaches both with v=2, each with the other, on both gateways, and nobody else", async () => {
  const { stranger, heard } = stage;
  const path = (of: UserClient) => `/users/@me/friends/${of.user.id}`;
  const steps = [
    [() => stranger.put(path(viewer)), "outgoing", "incoming"],
    [() => viewer.put(path(stranger)), "friends", "friends"],
    [() => stranger.delete(path(viewer)), "none", "none"],
    [() => viewer.put(path(stranger)), "incoming", "outgoing"],
    [() => stranger.delete(path(viewer)), "none", "none"],
  ] as const;
  for (const [step, ofStranger, ofViewer] of steps) {
    expect((await step()).status).toBe(204);
    const { v1, v2 } = await heard({ stranger: "FRIEND_UPDATE", viewer: "FRIEND_UPDATE" });
    expect(v1).toEqual(nothing);
    expect(v2).toEqual({
      ...nothing,
      stranger: [await friendUpdate(viewer, ofStranger)],
      viewer: [await friendUpdate(stranger, ofViewer)],
    });
    const lists = (await viewer.get("/users/@me/friends")).expect(200, FriendList);
    const listed = Object.entries(lists).filter(([, users]) => users.some(({ id }) => id === stranger.user.id));
    expect(listed.map(([name]) => name)).toEqual(ofViewer === "none" ? [] : [ofViewer]);
  }
  // A request without an effect causes no event.
  expect((await viewer.delete(path(stranger))).status).toBe(204);
  expect((await heard()).v2).toEqual(nothing);
});

test("a block reaches every connection with v=2 of the user who blocks; the blocked user gets the end of the friendship alone", async () => {
  const { owner, heard } = stage;
  for (const [user, other] of [
    [owner, viewer],
    [viewer, owner],
  ] as const) {
    expect((await user.put(`/users/@me/friends/${other.user.id}`)).status).toBe(204);
  }
  await heard({ owner: "FRIEND_UPDATE" });
  await heard();
  expect((await viewer.put(`/users/@me/blocks/${owner.user.id}`)).status).toBe(204);
  const user = await profileOf(viewer, owner.user.id);
  const blocked = await heard({ viewer: "BLOCK_UPDATE", owner: "FRIEND_UPDATE" });
  expect(blocked.v1).toEqual(nothing);
  expect(blocked.v2).toEqual({
    ...nothing,
    owner: [await friendUpdate(viewer, "none")],
    viewer: [await friendUpdate(owner, "none"), ["BLOCK_UPDATE", { user, blocked: true }]],
  });
  expect((await viewer.get("/users/@me/blocks")).expect(200, BlockList).blocks.map(({ id }) => id)).toEqual([user.id]);

  expect((await viewer.delete(`/users/@me/blocks/${owner.user.id}`)).status).toBe(204);
  const { v1, v2 } = await heard({ viewer: "BLOCK_UPDATE" });
  expect(v1).toEqual(nothing);
  expect(v2).toEqual(heardBy(["viewer"], ["BLOCK_UPDATE", { user, blocked: false }]));
});

test("friends of a deleted account hear that it is none any more", async () => {
  const { client, admin, heard } = stage;
  const gone = await client.register();
  expect((await gone.put(`/users/@me/friends/${admin.user.id}`)).status).toBe(204);
  expect((await admin.put(`/users/@me/friends/${gone.user.id}`)).status).toBe(204);
  expect((await admin.put(`/users/@me/blocks/${stage.outsider.user.id}`)).status).toBe(204);
  await heard({ admin: "BLOCK_UPDATE" });
  expect((await gone.delete("/users/@me", { password: gone.password })).status).toBe(204);
  const { v2 } = await heard({ admin: "FRIEND_UPDATE" });
  expect(v2).toMatchObject(heardBy(["admin"], ["FRIEND_UPDATE", { user: { id: gone.user.id }, state: "none" }]));
  expect((await admin.get("/users/@me/friends")).body).toEqual({ friends: [], incoming: [], outgoing: [] });
});
