import { Channel, Role, Server } from "@parley/contracts";
import { assignRole, createRole, joinServer, postMessage, waitUntil } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { findingsInBothSchemes } from "./barriers.js";
import {
  type Conversation,
  composer,
  messageWith,
  openConversation,
  registerAs,
  useWebStage,
  waitForCount,
  waitUntilGone,
} from "./web-stage.js";

// What owners say once for a team that moderates: rights, the role of everybody, channels for some.

const stage = useWebStage();
let talk: Conversation;

beforeAll(async () => {
  talk = await openConversation(stage);
});

test("an owner takes a right from everybody, gives a role one, and says that roles protect, each with what it means", async () => {
  const { ada, bensPage, server } = talk;
  const guard = await createRole(ada, server.id, { name: "Guard" });
  await composer(bensPage).fill("@every");
  const offer = bensPage.getByRole("option", { name: /@everyone/ });
  await offer.waitFor();

  const page = await stage.visit(ada, { path: `/servers/${server.id}/settings/roles` });
  await page.getByRole("list", { name: "Everyone" }).getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Without it the text stays, but nobody is notified.").waitFor();
  expect(await findingsInBothSchemes(page)).toEqual([]);
  await waitForCount(dialog.getByRole("checkbox", { name: "Administrator (everything)" }), 0);
  await dialog.getByRole("checkbox", { name: "Mention @everyone" }).uncheck();
  await dialog.getByRole("button", { name: "Save" }).click();
  await waitUntilGone(offer);
  const everyone = (await ada.get(`/servers/${server.id}/roles/${server.id}`)).expect(200, Role);
  expect(everyone).toMatchObject({ permissions: 123, rights: ["use_apps"] });

  const row = page.getByRole("list", { name: "Roles" }).getByRole("listitem").filter({ hasText: "Guard" });
  await row.getByRole("button", { name: "Edit" }).click();
  await dialog.getByRole("checkbox", { name: "Review reports" }).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await waitUntilGone(dialog);
  const changed = (await ada.get(`/servers/${server.id}/roles/${guard.id}?rights=true`)).expect(200, Role);
  expect(changed.rights).toEqual(["review_reports"]);

  await page.getByRole("link", { name: "Overview" }).click();
  const protection = page.getByRole("checkbox", { name: "Roles protect against those at or below them" });
  await protection.check();
  await page.getByRole("button", { name: "Save", exact: true }).first().click();
  const hierarchy = async () => (await ada.get(`/servers/${server.id}`)).expect(200, Server).hierarchy === true;
  await waitUntil(hierarchy, { what: "the server to have a hierarchy" });
  await page.context().close();
});

test("a channel is made private to a role with two clicks: the others lose it at once, and get it back", async () => {
  const { ada, adasPage, ben, bensPage, server, channel } = talk;
  const crew = await createRole(ada, server.id, { name: "Crew" });
  const cyd = await registerAs(stage.client, "cyd");
  await joinServer(cyd, server.id);
  await assignRole(ada, crew, cyd);
  const cydsPage = await stage.visit(cyd, { path: talk.path });
  const channels = (page: typeof adasPage) => page.getByRole("navigation", { name: "Channels" });
  const link = (page: typeof adasPage) => channels(page).getByRole("link", { name: channel.name });
  await link(adasPage).click({ button: "right" });
  await adasPage.getByRole("menuitem", { name: "Permissions" }).click();
  const dialog = adasPage.getByRole("dialog", { name: `Permissions in ${channel.name}` });
  await dialog.getByRole("checkbox", { name: "Only those who are chosen see this channel" }).click();
  await dialog.getByRole("checkbox", { name: "Crew" }).click();
  await waitForCount(link(bensPage), 0);
  await link(cydsPage).getByText("private channel").waitFor({ state: "attached" });
  const listed = async (who: typeof ben) =>
    (await who.get(`/servers/${server.id}/channels`)).expect(200, z.array(Channel)).map(({ id }) => id);
  expect(await listed(ben)).toEqual([]);
  expect(await listed(cyd)).toEqual([channel.id]);
  await postMessage(ada, channel.id, "among us");
  await messageWith(cydsPage, "among us").waitFor();

  await dialog.getByRole("checkbox", { name: "Only those who are chosen see this channel" }).click();
  await link(bensPage).waitFor();
  expect(await listed(ben)).toEqual([channel.id]);
  await cydsPage.context().close();
});
