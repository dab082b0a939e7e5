import { Invite, permissionBits } from "@parley/contracts";
import { assignRole, createChannel, createRole, createServerWithMembers, postMessage } from "@parley/testing";
import { expect, test } from "vitest";
import { menuOf } from "./row-menu.js";
import { channelPath, composer, useWebStage, waitForCount, waitForValue } from "./web-stage.js";

// What somebody may not do, or cannot see, and what the page says of it.

const stage = useWebStage();

test("the settings of a server offer a member what they may do, and nothing else", async () => {
  const { owner, members, server, channel } = await createServerWithMembers(stage.client, 3);
  const [mona, nils, otto] = members;
  const guard = await createRole(owner, server.id, {
    name: "Guard",
    permissions: permissionBits.VIEW_CHANNEL | permissionBits.BAN_MEMBERS | permissionBits.MUTE_MEMBERS,
  });
  await assignRole(owner, guard, mona);
  const override = { user_id: otto.user.id, allow: permissionBits.MANAGE_CHANNELS, deny: 0 };
  expect((await owner.put(`/channels/${channel.id}/overrides`, override)).status).toBe(200);
  for (const [user, sections, actions] of [
    [mona, ["Overview", "Members", "Bans", "Newcomers and raids"], ["Time out", "Ban"]],
    [nils, ["Overview", "Members"], []],
    [otto, ["Overview", "Channels", "Members"], []],
  ] as const) {
    const page = await stage.visit(user, { path: `/servers/${server.id}/settings/members` });
    const other = user === mona ? nils : mona;
    const row = page.getByRole("main").getByRole("listitem").filter({ hasText: other.username });
    await row.waitFor();
    const links = page.getByRole("navigation", { name: /^Settings of/ }).getByRole("link");
    await waitForCount(links, sections.length);
    expect(await links.allTextContents()).toEqual(sections);
    expect(await row.getByRole("button").count()).toBe(Math.min(actions.length, 1));
    if (actions.length > 0) {
      await menuOf(row).click();
      await page.getByRole("menu").waitFor();
      expect(await page.getByRole("menuitem").allTextContents()).toEqual(actions);
    }
    await page.context().close();
  }
});

test("an address that leads to nothing has a way on", async () => {
  const { owner, server } = await createServerWithMembers(stage.client, 0);
  const page = await stage.visit(owner, {
    path: `/servers/${server.id}/channels/00000000-0000-4000-8000-000000000000`,
  });
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await page.getByRole("button", { name: "Go to the start page" }).click();
  await page.getByRole("heading", { name: "Welcome to Parley" }).waitFor();
  await page.context().close();
});

test("an invite that cannot be looked at now is not called invalid", async () => {
  const { owner, members, server } = await createServerWithMembers(stage.client, 1);
  const [guest] = members;
  const { code } = (await owner.post(`/servers/${server.id}/invites`, {})).expect(201, Invite);
  let isLost = true;
  const page = await stage.visit(guest, {
    path: `/invite/${code}`,
    prepare: async (created) => {
      await created.route(new RegExp(`/invites/${code}/preview$`), (route) =>
        isLost ? route.abort("internetdisconnected") : route.continue(),
      );
    },
  });
  await page
    .getByRole("alert")
    .getByText(/^The server cannot be reached/)
    .waitFor();
  isLost = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: server.name }).waitFor();
  await page.context().close();
});

test("pinned messages that cannot be read say so, and are there at the next attempt", async () => {
  const { owner, channel } = await createServerWithMembers(stage.client, 0);
  const { id } = await postMessage(owner, channel.id, "Keep this");
  expect((await owner.post(`/channels/${channel.id}/messages/${id}/pin`)).status).toBe(204);
  let isLost = true;
  const page = await stage.visit(owner, {
    path: channelPath(channel),
    prepare: async (created) => {
      await created.route(/\/pinned-messages(\?|$)/, (route) =>
        isLost ? route.abort("internetdisconnected") : route.continue(),
      );
    },
  });
  await page.getByRole("button", { name: "Pinned messages" }).click();
  const panel = page.getByRole("complementary", { name: "Pinned messages" });
  await panel
    .getByRole("alert")
    .getByText(/^The server cannot be reached/)
    .waitFor();
  isLost = false;
  await panel.getByRole("button", { name: "Try again" }).click();
  await panel.getByText("Keep this").waitFor();
  await page.context().close();
});

test("a page that cannot be drawn says so, and leaves the others as they are", async () => {
  const { owner, server, channel } = await createServerWithMembers(stage.client, 0);
  const broken = await createChannel(owner, server.id, { name: "broken" });
  const page = await stage.visit(owner, { path: channelPath(channel) });
  await composer(page).waitFor();
  await page.waitForLoadState("networkidle");
  await page.route(new RegExp(`/channels/${broken.id}/messages`), (route) =>
    route.fulfill({ json: [{ id: "1", content: 1 }] }),
  );
  await page.getByRole("link", { name: "broken" }).click();
  await page.getByRole("heading", { name: "This page can’t be shown" }).waitFor();
  await page.getByRole("button", { name: "Go to the start page" }).click();
  await page.getByRole("heading", { name: "Welcome to Parley" }).waitFor();
  await page.context().close();
});

test("a page whose drawing fails while somebody writes can be loaded again, and has their draft", async () => {
  const { owner, channel } = await createServerWithMembers(stage.client, 1);
  const page = await stage.visit(owner, { path: channelPath(channel) });
  await composer(page).pressSequentially("Thanks @");
  await page.getByRole("listbox", { name: "Suggestions" }).getByRole("option").first().waitFor();
  await page.evaluate("Element.prototype.scrollIntoView = () => { throw new Error('It cannot be drawn.'); }");
  await page.keyboard.press("ArrowDown");
  await page.getByRole("heading", { name: "This page can’t be shown" }).waitFor();
  await page.getByRole("button", { name: "Reload the page" }).click();
  await waitForValue(composer(page), "Thanks @");
  await page.context().close();
});
