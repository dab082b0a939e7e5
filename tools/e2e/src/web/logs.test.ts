import {
  assignRole,
  createChannel,
  createRole,
  createServer,
  joinServer,
  type Page,
  type UserClient,
} from "@parley/testing";
import { expect, test } from "vitest";
import { registerAdmin } from "../api/admin-stage.js";
import { registerAs, useWebStage } from "./web-stage.js";

const stage = useWebStage();
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-/;
const sendMessages = 2;

const entry = (page: Page, text: string | RegExp) =>
  page.getByRole("main").getByRole("listitem").filter({ hasText: text });

async function done(answer: ReturnType<UserClient["post"]>): Promise<void> {
  expect((await answer).status).toBeLessThan(300);
}

test("the audit log says who did what to whom by their names, also of what is gone", async () => {
  const [olga, piet, rosa, sven] = await Promise.all(
    (["olga", "piet", "rosa", "sven"] as const).map((name) => registerAs(stage.client, name)),
  );
  if (olga === undefined || piet === undefined || rosa === undefined || sven === undefined) throw new Error("Nobody");
  const server = await createServer(olga, { name: "Archive", is_public: true });
  for (const user of [piet, rosa, sven]) await joinServer(user, server.id);
  const members = `/servers/${server.id}/members`;
  const scribe = await createRole(olga, server.id, { name: "Scribe" });
  await assignRole(olga, scribe, piet);
  const annex = await createChannel(olga, server.id, { name: "annex" });
  const overrides = `/channels/${annex.id}/overrides`;
  await done(olga.put(overrides, { user_id: piet.user.id, allow: sendMessages, deny: 0 }));
  await done(olga.put(overrides, { role_id: scribe.id, allow: 0, deny: sendMessages }));
  await done(olga.delete(`/servers/${server.id}/roles/${scribe.id}`));
  await done(olga.delete(`/channels/${annex.id}`));
  for (let round = 0; round < 5; round += 1) {
    await done(olga.post(`${members}/${rosa.user.id}/timeout`, { duration_minutes: 5 }));
    await done(olga.delete(`${members}/${rosa.user.id}/timeout`));
  }
  await done(olga.post(`${members}/${rosa.user.id}/kick`, { reason: "Too loud" }));
  await done(olga.post(`${members}/${sven.user.id}/ban`));
  await done(sven.delete("/users/@me", { password: sven.password }));

  const asked: string[] = [];
  const page = await stage.visit(olga, {
    path: `/servers/${server.id}/settings/audit-log`,
    prepare: async (created) => {
      created.on("request", (request) => {
        const id = request.url().match(/\/users\/([0-9a-f-]{36})$/)?.[1];
        if (id !== undefined) asked.push(id);
      });
    },
  });
  await entry(page, `Member kicked: ${rosa.username}`).getByText("Reason: Too loud").waitFor();
  await entry(page, "Member banned: Deleted account").waitFor();
  await entry(page, `Role given: ${piet.username}`).getByText("Role: Scribe").waitFor();
  await entry(page, "Role deleted: Scribe").waitFor();
  const changed = entry(page, "Channel permissions changed: #annex");
  await changed.filter({ hasText: `For: ${piet.username} · Allowed: Send messages` }).waitFor();
  await changed.filter({ hasText: "For: Scribe · Denied: Send messages" }).waitFor();
  await entry(page, `Member timed out: ${rosa.username}`).first().getByText("Duration: 5 minutes").waitFor();
  expect(await page.getByRole("main").textContent()).not.toMatch(uuid);
  // Those who have left are asked for, each once; how many rows name them does not matter.
  expect(asked.sort()).toEqual([rosa.user.id, sven.user.id].sort());

  await page.getByRole("combobox", { name: "Action" }).selectOption("Retention changed");
  await page.getByText("Nothing of this kind yet.").waitFor();
  await page.context().close();
});

test("the log of administrators names them and what they changed", async () => {
  const admin = await registerAdmin(stage.client, stage.stack.databaseUrl);
  const tilda = await registerAs(stage.client, "tilda");
  await done(admin.patch(`/admin/users/${tilda.user.id}`, { disabled: true }));
  const page = await stage.visit(admin, { path: "/admin/log" });
  const account = entry(page, `Account changed: ${tilda.username}`);
  await account.filter({ hasText: admin.username }).filter({ hasText: "Disabled: yes" }).waitFor();
  expect(await page.getByRole("main").textContent()).not.toMatch(uuid);
  await page.context().close();
});
