import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { activateCodes } from "../../stages/passkey-stage.js";
import { type Cell, type Credential, credentials, type End, ends, table, tableText } from "./table.js";
import { createEndsStage, createWorld, type EndsStage, type World } from "./world.js";

let stage: EndsStage;
beforeAll(async () => {
  stage = await createEndsStage();
});
afterAll(() => stage?.app.gateway.close());

/** Makes each of the ends happen. */
const happen: Readonly<Record<End, (world: World) => Promise<unknown>>> = {
  "new password": async (world) => {
    const body = { current_password: world.password, new_password: "another password" };
    expect((await world.user.post("/auth/change-password", body)).status).toBe(200);
    world.password = body.new_password;
  },
  "reset by token": async (world) => {
    const email = String(Object((await world.user.get("/auth/email")).body).email);
    // Another token than the one that is tried afterwards.
    const { token } = Object((await stage.owner.post("/auth/forgot-password", { email })).body);
    const body = { token, new_password: "another password" };
    expect((await stage.one.post("/auth/reset-password", body)).status).toBe(200);
    world.password = body.new_password;
  },
  "second factor on": async (world) => {
    [world.code] = await activateCodes(world.user);
  },
  "second factor off": async ({ user, password }) => {
    const [code] = await activateCodes(user);
    expect((await user.delete("/auth/second-factor", { password, code })).status).toBe(204);
  },
  disabled: ({ user }) => disable(user.user.id, true),
  "account deleted": async ({ user, password }) => {
    expect((await user.delete("/users/@me", { password })).status).toBe(204);
  },
  kicked: ({ user, serverId }) => stage.owner.post(`/servers/${serverId}/members/${user.user.id}/kick`),
  banned: ({ user, serverId }) => stage.owner.post(`/servers/${serverId}/members/${user.user.id}/ban`, {}),
  left: ({ user, serverId }) => user.delete(`/servers/${serverId}/leave`),
  "channel deleted": ({ channelId }) => stage.owner.delete(`/channels/${channelId}`),
  "server deleted": ({ serverId }) => stage.owner.delete(`/servers/${serverId}`),
};

async function disable(id: string, disabled: boolean): Promise<void> {
  expect((await stage.owner.patch(`/admin/users/${id}`, { disabled })).status).toBe(200);
}

/** Tries credentials one after the other: the token that sets the password ends others. */
async function expectWorking(world: World, asked: readonly Credential[], isExpected: boolean): Promise<void> {
  const found: Record<string, boolean> = {};
  for (const each of asked) found[each] = await world.checks[each](isExpected);
  expect(found).toEqual(Object.fromEntries(asked.map((each) => [each, isExpected])));
}
const last: Credential = "token that sets the password";
const inOrder = [...credentials.filter((each) => each !== last), last];
const where = (end: End, matches: (cell: Cell) => boolean) =>
  inOrder.filter((credential) => matches(table[credential][ends.indexOf(end)] ?? "ends"));

test.each(ends)("%s: what ends has ended at once, and what stays stays", async (end) => {
  const world = await createWorld(stage);
  await happen[end](world);
  const stays = where(end, (cell) => cell !== "ends" && cell !== "rests");
  const rests = where(end, (cell) => cell === "rests");
  const over = where(end, (cell) => cell === "ends");
  if (end === "disabled") {
    await expectWorking(world, rests, false);
    await disable(world.user.user.id, false);
    await expectWorking(world, rests, true);
  }
  await expectWorking(world, over, false);
  await expectWorking(world, stays, true);
});

test("the document has the same table", () => {
  const document = readFileSync(join(import.meta.dirname, "../../../../../../docs/processes/security.md"), "utf8");
  expect(/<!-- ends -->\n\n([\s\S]*?)\n\n<!-- \/ends -->/.exec(document)?.[1]).toBe(tableText());
});
