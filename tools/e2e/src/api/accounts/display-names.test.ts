import {
  DmChannel,
  errorBody as error,
  InboxPage,
  Member,
  PublicProfile,
  Reactor,
  SentMessage,
  ThreadPage,
  User,
} from "@parley/contracts";
import { connectGateway, postMessage } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type ChangeStage, startChangeStage } from "../delivery/changes/change-stage.js";

let stage: ChangeStage;
beforeAll(async () => {
  stage = await startChangeStage("v=2&members=all");
});
afterAll(() => stage?.connections.closeAll());

const rename = (display_name: unknown) => stage.viewer.patch("/users/@me", { display_name });
const Reactors = z.array(Reactor);

test("a display name stands wherever the account does, in answers and on connections with v=2, beside a nickname", async () => {
  const { viewer, owner, open, serverId, stack, heard } = stage;
  const user = (await rename("  Ann of Bergen ")).expect(200, User);
  expect(user.display_name).toBe("Ann of Bergen");
  const { v1, v2 } = await heard({ viewer: "USER_UPDATE", owner: "MEMBER_UPDATE" });
  expect(v2.viewer.find(([name]) => name === "USER_UPDATE")).toEqual(["USER_UPDATE", user]);
  expect(v2.owner).toMatchObject([["MEMBER_UPDATE", { member: { display_name: "Ann of Bergen" } }]]);
  expect(v1.viewer).toEqual([]);

  const name = { username: viewer.user.username, display_name: "Ann of Bergen" };
  expect((await owner.get(`/users/${viewer.user.id}`)).expect(200, PublicProfile)).toMatchObject(name);
  await viewer.patch(`/servers/${serverId}/members/@me`, { nickname: "The rook" });
  const members = (await owner.get(`/servers/${serverId}/members`)).expect(200, z.array(Member));
  expect(members.find(({ user_id }) => user_id === viewer.user.id)).toMatchObject({ ...name, nickname: "The rook" });
  expect((await viewer.post("/dm-channels", { user_id: owner.user.id })).status).toBe(201);
  const direct = (await owner.get("/dm-channels")).expect(200, z.array(DmChannel));
  expect(direct[0]?.recipient).toMatchObject(name);

  await heard();
  const root = await postMessage(owner, open.id, "root");
  const sent = (await viewer.post(`/channels/${open.id}/messages`, { content: "hello", reply_to: root.id })).expect(
    201,
    SentMessage,
  );
  const created = await heard();
  expect(created.v2.owner.at(-1)).toMatchObject([
    "MESSAGE_CREATE",
    { id: sent.id, author: { ...name, nickname: "The rook" } },
  ]);
  const { display_name: _, ...older } = Object(created.v2.owner.at(-1)?.[1]).author;
  expect(created.v1.owner.at(-1)).toEqual([
    "MESSAGE_CREATE",
    { ...Object(created.v2.owner.at(-1)?.[1]), author: older },
  ]);

  await viewer.put(`/channels/${open.id}/messages/${root.id}/reactions/${encodeURIComponent("👍")}`);
  const emoji = encodeURIComponent("👍");
  const reactors = (await owner.get(`/channels/${open.id}/messages/${root.id}/reactions/${emoji}`)).expect(
    200,
    Reactors,
  );
  expect(reactors).toEqual([{ id: viewer.user.id, avatar_url: null, ...name }]);
  await viewer.post(`/channels/${open.id}/messages/${root.id}/thread`, { content: "a reply" });
  const { threads } = (await owner.get(`/servers/${serverId}/threads`)).expect(200, ThreadPage);
  expect(threads[0]?.participants).toEqual([{ id: viewer.user.id, avatar_url: null, ...name }]);
  const { items } = (await owner.get("/users/@me/inbox?kinds=reply")).expect(200, InboxPage);
  expect(items[0]?.by).toEqual({ id: viewer.user.id, avatar_url: null, ...name });

  const readyOf = async (version: 1 | 2, { accessToken }: { accessToken: string }) => {
    const socket = connectGateway(stack.edgeUrl, "", { query: `token=${accessToken}&v=${version}` });
    const ready = await socket.ready;
    socket.terminate();
    return ready;
  };
  expect((await readyOf(2, viewer)).user).toMatchObject(name);
  expect((await readyOf(2, owner)).dm_channels[0]?.recipient).toMatchObject(name);
  expect(JSON.stringify(await readyOf(1, viewer))).not.toContain("display_name");
  expect(JSON.stringify(await readyOf(1, owner))).not.toContain("display_name");
});

test.each([null, ""])("%j clears the display name, and others are refused", async (cleared) => {
  const { viewer, owner } = stage;
  await rename("Ann");
  for (const wrong of ["x".repeat(33), 7]) {
    const { status, body } = await rename(wrong);
    expect([status, body]).toEqual([400, error("Display name must be 1-32 characters")]);
  }
  expect((await viewer.get("/users/@me")).expect(200, User).display_name).toBe("Ann");
  expect((await rename(cleared)).expect(200, User)).not.toHaveProperty("display_name");
  expect((await owner.get(`/users/${viewer.user.id}`)).expect(200, PublicProfile)).not.toHaveProperty("display_name");
});
