import { permissionBits } from "@parley/contracts";
import { assignRole, createRole, createServerWithMembers } from "@parley/testing";
import { expect, test } from "vitest";
import { channelPath, composer, useWebStage, waitUntilGone } from "./web-stage.js";

const stage = useWebStage();

test("open settings follow the roles that somebody else makes, gives, renames and takes away", async () => {
  const { owner: ada, members, server } = await createServerWithMembers(stage.client, 1);
  const [ben] = members;
  const page = await stage.visit(ben, { path: `/servers/${server.id}/settings/members` });
  const row = page.getByRole("list", { name: "Members" }).getByRole("listitem").filter({ hasText: ben.username });
  const sections = page.getByRole("navigation", { name: /^Settings of/ });
  const offer = row.getByRole("button", { name: "Roles" });
  await row.waitFor();
  expect(await offer.count()).toBe(0);

  const role = await createRole(ada, server.id, { name: "Arbiter", permissions: permissionBits.MANAGE_ROLES });
  await assignRole(ada, role, ben);
  await row.getByText("Arbiter", { exact: true }).waitFor();
  await offer.waitFor();
  await sections.getByRole("link", { name: "Roles" }).click();
  const roles = page.getByRole("list", { name: "Roles" });
  await roles.getByText("Arbiter", { exact: true }).waitFor();
  const path = `/servers/${server.id}/roles/${role.id}`;
  expect((await ada.patch(path, { name: "Referee" })).status).toBe(200);
  await roles.getByText("Referee", { exact: true }).waitFor();

  await sections.getByRole("link", { name: "Members" }).click();
  await row.getByText("Referee", { exact: true }).waitFor();
  expect((await ada.patch(path, { name: "Umpire" })).status).toBe(200);
  await row.getByText("Umpire", { exact: true }).waitFor();
  expect((await ada.delete(`/servers/${server.id}/members/${ben.user.id}/roles/${role.id}`)).status).toBe(204);
  await waitUntilGone(row.getByText("Umpire", { exact: true }));
  await waitUntilGone(offer);
  await waitUntilGone(sections.getByRole("link", { name: "Roles" }));
  await page.context().close();
});

test("open settings of a server are left when their user is kicked", async () => {
  const { owner, members, server } = await createServerWithMembers(stage.client, 1);
  const [ben] = members;
  const page = await stage.visit(ben, { path: `/servers/${server.id}/settings/members` });
  await page.getByRole("list", { name: "Members" }).getByText(ben.username).waitFor();
  expect((await owner.post(`/servers/${server.id}/members/${ben.user.id}/kick`, { reason: "Too loud" })).status).toBe(
    204,
  );
  await page.getByRole("heading", { name: "Welcome to Parley" }).waitFor();
  await page.getByRole("status").getByText(`You were removed from ${server.name}: Too loud`).waitFor();
  await page.context().close();
});

test("who is banned while they read a channel is told why, and stands in no server", async () => {
  const { owner, members, server, channel } = await createServerWithMembers(stage.client, 1);
  const [ben] = members;
  const page = await stage.visit(ben, { path: channelPath({ server_id: server.id, id: channel.id }) });
  await composer(page).waitFor();
  const ban = `/servers/${server.id}/members/${ben.user.id}/ban`;
  expect((await owner.post(ban, { reason: "Spam" })).status).toBe(204);
  await page.getByRole("status").getByText(`You were banned from ${server.name}: Spam`).waitFor();
  await page.getByRole("heading", { name: "Welcome to Parley" }).waitFor();
  await waitUntilGone(composer(page));
  await page.context().close();
});
