import { errorBody as error, User } from "@parley/contracts";
import { type Answer, createClient, type RestClient, type UserClient } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChangeStage, startChangeStage } from "../delivery/changes/change-stage.js";

let stage: ChangeStage;
let sql: pg.Client;
beforeAll(async () => {
  stage = await startChangeStage("v=2&members=all");
  sql = new pg.Client({ connectionString: stage.stack.databaseUrl });
  await sql.connect();
});
afterAll(async () => {
  stage?.connections.closeAll();
  await sql?.end();
});

let made = 0;
const newName = () => `n${crypto.randomUUID().slice(0, 8)}_${++made}`;
const rename = (by: UserClient, username: unknown, password: unknown = by.password) =>
  by.patch("/users/@me", { username, password });
const login = (by: RestClient, username: string, password: string) => by.post("/auth/login", { username, password });
const said = ({ status, body }: Answer) => [status, body];
/** Lets days pass for the former names of somebody. */
const pass = (days: number, { user }: UserClient) =>
  sql.query("UPDATE former_usernames SET changed_at = changed_at - make_interval(days => $1) WHERE user_id = $2", [
    days,
    user.id,
  ]);

test("another username is announced, signs in in place of the former one, and is found among the members", async () => {
  const { viewer, owner, serverId, client, heard } = stage;
  const username = newName();
  await heard();
  const user = (await rename(viewer, username)).expect(200, User);
  expect(user).toMatchObject({ id: viewer.user.id, username });
  const { v1, v2 } = await heard({ viewer: "USER_UPDATE", owner: "MEMBER_UPDATE" });
  expect(v2.viewer.find(([name]) => name === "USER_UPDATE")).toEqual(["USER_UPDATE", user]);
  expect(v2.owner).toMatchObject([["MEMBER_UPDATE", { member: { user_id: viewer.user.id, username } }]]);
  expect(v1.viewer).toEqual([]);
  expect((await login(client, viewer.username, viewer.password)).status).toBe(401);
  expect((await login(client, username, viewer.password)).status).toBe(200);
  const found = await owner.get(`/servers/${serverId}/members?q=${username.toUpperCase()}`);
  expect(found.body).toMatchObject([{ user_id: viewer.user.id, username }]);
});

test("a former username is nobody else's for 30 days, also by another api, and its owner may take it back", async () => {
  const { client, stack } = stage;
  const [ann, bob] = [await client.register(), await client.register()];
  const name = newName();
  (await rename(ann, name)).expect(200, User);
  const taken = [409, error("Username already taken")];
  expect(said(await rename(bob, ann.username))).toEqual(taken);
  for (const { url } of stack.apis) {
    const register = createClient(url).post("/auth/register", { username: ann.username, password: "a password" });
    expect(said(await register)).toEqual(taken);
  }
  expect(said(await rename(bob, name))).toEqual(taken);
  (await rename(ann, ann.username)).expect(200, User);
  expect(said(await rename(bob, name))).toEqual(taken);
  await pass(31, ann);
  expect((await rename(bob, name)).expect(200, User).username).toBe(name);
});

test("usernames change twice in 14 days, also of requests at once through two apis", async () => {
  const { client, stack } = stage;
  const ann = await client.register();
  const names = [newName(), newName(), newName(), newName()];
  const through = stack.apis.map(({ url }) => createClient(url).withAuthorization(`Bearer ${ann.accessToken}`));
  const answers = await Promise.all(
    names.map((username, n) => through[n % 2]?.patch("/users/@me", { username, password: ann.password })),
  );
  const refused = answers.filter((answer) => answer?.status !== 200);
  expect(refused.map((answer) => answer && said(answer))).toEqual(
    [1, 2].map(() => [429, error("Usernames can be changed twice in 14 days")]),
  );
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(13 * 86_400);
  // The name that one has is no change.
  const { username } = (await ann.get("/users/@me")).expect(200, User);
  (await rename(ann, username)).expect(200, User);
  await pass(14, ann);
  (await rename(ann, newName())).expect(200, User);
});

test("another username needs the password, and has the form of a username", async () => {
  const { client } = stage;
  const ann = await client.register();
  for (const password of ["wrong", undefined])
    expect(said(await ann.patch("/users/@me", { username: newName(), password, bio: "x" }))).toEqual([
      400,
      error("Wrong password"),
    ]);
  const form = "Username must be 2-32 characters: letters, digits and underscores";
  for (const username of ["a", "with space", "a-b", 7])
    expect(said(await rename(ann, username))).toEqual([400, error(form)]);
  await sql.query("UPDATE users SET admin_by_setting = true WHERE id = $1", [ann.user.id]);
  const listed = [400, error("This name is in the operator's settings")];
  expect(said(await rename(ann, newName()))).toEqual(listed);
  expect((await ann.get("/users/@me")).expect(200, User)).toMatchObject({ username: ann.username, bio: null });
});
