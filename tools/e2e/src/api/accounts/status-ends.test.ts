import { errorBody as error, PublicProfile, User } from "@parley/contracts";
import { connectGateway } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChangeStage, startChangeStage } from "../delivery/changes/change-stage.js";

let stage: ChangeStage;
let sql: pg.Client;
beforeAll(async () => {
  stage = await startChangeStage();
  sql = new pg.Client({ connectionString: stage.stack.databaseUrl });
  await sql.connect();
});
afterAll(async () => {
  stage?.connections.closeAll();
  await sql?.end();
});

const later = () => new Date(Date.now() + 3_600_000).toISOString();
const set = async (changes: object) => (await stage.viewer.patch("/users/@me", changes)).expect(200, User);
const own = async () => (await stage.viewer.get("/users/@me")).expect(200, User);

test("a custom status ends at its time, and the account's connections and co-members hear of it", async () => {
  const { viewer, owner, stack, heard } = stage;
  const status_expires_at = later();
  expect(await set({ custom_status: "Lunch", status_expires_at })).toMatchObject({ status_expires_at });
  expect((await owner.get(`/users/${viewer.user.id}`)).expect(200, PublicProfile)).not.toHaveProperty(
    "status_expires_at",
  );
  const readyOf = async (version: 1 | 2) => {
    const socket = connectGateway(stack.edgeUrl, "", { query: `token=${viewer.accessToken}&v=${version}` });
    const { user } = await socket.ready;
    socket.terminate();
    return user;
  };
  expect(await readyOf(2)).toMatchObject({ status_expires_at });
  expect(await readyOf(1)).not.toHaveProperty("status_expires_at");
  await heard({ viewer: "USER_UPDATE" });
  const socket = await stage.connections.open(owner.accessToken, 1, "v=2");
  await sql.query("UPDATE users SET status_expires_at = now() WHERE id = $1", [viewer.user.id]);
  const { v1, v2 } = await heard({ viewer: "USER_UPDATE" });
  const after = await own();
  expect(after.custom_status).toBeNull();
  expect(after).not.toHaveProperty("status_expires_at");
  expect(v2.viewer).toEqual([["USER_UPDATE", after]]);
  expect(v1.viewer).toEqual([]);
  await socket.waitFor(
    "PRESENCE_UPDATE",
    ({ user_id, custom_status }) => user_id === viewer.user.id && custom_status === null,
  );
});

test("a new custom status without an end has none, the end of the same one moves, and without a status there is none", async () => {
  const { viewer, heard } = stage;
  const [first, second] = [later(), later()];
  await set({ custom_status: "Lunch", status_expires_at: first });
  expect(await set({ status: "dnd" })).toMatchObject({ status_expires_at: first });
  expect(await set({ status_expires_at: second })).toMatchObject({ custom_status: "Lunch", status_expires_at: second });
  expect(await set({ custom_status: "Working" })).not.toHaveProperty("status_expires_at");
  expect(await set({ status_expires_at: first })).toMatchObject({ status_expires_at: first });
  expect(await set({ status_expires_at: null })).not.toHaveProperty("status_expires_at");
  expect(await set({ custom_status: "", status_expires_at: first })).not.toHaveProperty("status_expires_at");
  await set({ custom_status: "Lunch", status_expires_at: first });
  const socket = await stage.connections.open(viewer.accessToken, 0, "v=2");
  socket.send("PRESENCE_UPDATE", { status: "online", custom_status: "Back" });
  await expect.poll(own).toMatchObject({ custom_status: "Back" });
  expect(await own()).not.toHaveProperty("status_expires_at");
  for (const wrong of ["soon", new Date(Date.now() - 1_000).toISOString(), 7]) {
    const { status, body } = await viewer.patch("/users/@me", { custom_status: "x", status_expires_at: wrong });
    expect([status, body]).toEqual([400, error("status_expires_at must be a time to come")]);
  }
  await heard();
});
