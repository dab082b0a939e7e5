import { Webhook } from "@parley/contracts";
import { createChannel, joinServer, type Page, postMessage, type UserClient, waitUntil } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { pngPixel } from "../api/sample-files.js";
import { startReceiver } from "../api/webhook-receiver.js";
import { readLog } from "../api/webhook-stage.js";
import { chooseInRow } from "./row-menu.js";
import {
  act,
  type Conversation,
  channelPath,
  composer,
  copyWith,
  messageWith,
  openConversation,
  registerAs,
  sentMessage,
  useOwnWebStage,
  waitForCount,
  waitForValue,
  waitUntilGone,
  write,
} from "./web-stage.js";

const stage = useOwnWebStage({ automods: 1, webhookDispatchers: 1, env: { WEBHOOK_ALLOW_PRIVATE: "true" } });
let talk: Conversation;
/** Ada looks at the settings in a window of her own. */
let settings: Page;

beforeAll(async () => {
  talk = await openConversation(stage);
  settings = await stage.visit(talk.ada, { path: `/servers/${talk.server.id}/settings` });
});

async function openSection(title: string): Promise<void> {
  await settings
    .getByRole("navigation", { name: /^Settings of/ })
    .getByRole("link", { name: title, exact: true })
    .click();
  await settings.getByRole("heading", { name: title, level: 2 }).waitFor();
}
const row = (list: string, text: string | RegExp) =>
  settings.getByRole("list", { name: list }).getByRole("listitem").filter({ hasText: text });
const button = (name: string) => settings.getByRole("main").getByRole("button", { name, exact: true });
const confirm = async (name: string) => {
  await settings.getByRole("dialog").getByRole("button", { name, exact: true }).click();
  await waitUntilGone(settings.getByRole("dialog"));
};
const Webhooks = z.object({ webhooks: z.array(Webhook) });
const channels = (page: Page) => page.getByRole("navigation", { name: "Channels" });

/** Somebody new in the server, with the channel open. */
async function join(name: string): Promise<{ user: UserClient; page: Page }> {
  const user = await registerAs(stage.client, name);
  await joinServer(user, talk.server.id);
  const page = await stage.visit(user, { path: talk.path });
  await composer(page).waitFor();
  return { user, page };
}

test("a role is made, given and seen by the others", async () => {
  const { ben, bensPage } = talk;
  await openSection("Roles");
  const form = settings.getByRole("region", { name: "Create a role" });
  await form.getByRole("textbox", { name: "Name" }).fill("Arbiter");
  await form.getByRole("checkbox", { name: "Pin messages and delete other people’s" }).check();
  await form.getByRole("button", { name: "Create a role" }).click();
  await row("Roles", "Arbiter").waitFor();
  await openSection("Members");
  await row("Members", ben.username).getByRole("button", { name: "Roles" }).click();
  await settings.getByRole("dialog").getByRole("checkbox", { name: "Arbiter" }).click();
  await settings.getByRole("dialog").getByRole("checkbox", { name: "Arbiter", checked: true }).waitFor();
  await settings.keyboard.press("Escape");
  await waitUntilGone(settings.getByRole("dialog"));
  await row("Members", ben.username).getByText("Arbiter").waitFor();
  await bensPage
    .getByRole("region", { name: "Members" })
    .getByRole("heading", { name: /^Arbiter/ })
    .waitFor();
  await postMessage(talk.ada, talk.channel.id, "For Ben to remove");
  const message = messageWith(bensPage, "For Ben to remove");
  await act(bensPage, "For Ben to remove", "More");
  await bensPage.getByRole("menuitem", { name: "Delete" }).click();
  await bensPage.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await waitUntilGone(message);
});

test("a channel is hidden from a member by an override, and comes back without it", async () => {
  const { ada, ben, server, bensPage } = talk;
  await createChannel(ada, server.id, { name: "committee" });
  await bensPage.reload();
  await channels(bensPage).getByRole("link", { name: "committee" }).waitFor();
  await openSection("Channels");
  await chooseInRow(row("Channels", "committee"), "Permissions");
  const dialog = settings.getByRole("dialog", { name: "Permissions in committee" });
  await dialog.getByRole("textbox", { name: "Add a member (name)" }).fill(ben.username);
  await dialog.getByRole("region", { name: "Add a member (name)" }).getByRole("button", { name: "Add" }).click();
  await dialog.getByRole("combobox", { name: "See channels" }).selectOption("Deny");
  await dialog.getByRole("button", { name: "Save" }).click();
  await waitUntilGone(channels(bensPage).getByRole("link", { name: "committee" }));
  await dialog.getByRole("button", { name: "Remove" }).click();
  await channels(bensPage).getByRole("link", { name: "committee" }).waitFor();
  await settings.keyboard.press("Escape");
  await waitUntilGone(dialog);
});

test("an invite leads somebody else into the server", async () => {
  await openSection("Invites");
  await settings.getByRole("spinbutton", { name: "Maximum uses" }).fill("1");
  await button("Create an invite").click();
  const invite = row("Invites", "Used 0 of 1 time");
  const link = await copyWith(invite.getByRole("button", { name: "Copy" }));
  const dora = await registerAs(stage.client, "dora");
  const page = await stage.visit(dora, { path: new URL(link).pathname.replace("/app", "") });
  await page.getByRole("heading", { name: talk.server.name, level: 1 }).waitFor();
  await page.getByRole("button", { name: "Join" }).click();
  await composer(page).waitFor();
  // It is used up for others; who came by it goes on to the server.
  const late = await stage.visit(null, { path: new URL(link).pathname.replace("/app", "") });
  await late.getByText("This invite has expired or never existed. Ask for a new one.").waitFor();
  await late.context().close();
  await page.context().close();
});

test("who is timed out reads on and cannot write until it ends", async () => {
  const { user, page } = await join("emil");
  await openSection("Members");
  await settings.reload();
  await chooseInRow(row("Members", user.username), "Time out");
  await settings.getByRole("dialog").getByRole("textbox", { name: "Reason (optional)" }).fill("Too loud");
  await confirm("Time out");
  await page.getByText(/^You are timed out until/).waitFor();
  await chooseInRow(row("Members", user.username), "End the timeout");
  await composer(page).waitFor();
  await page.context().close();
});

test("who is kicked leaves the server at once; who is banned cannot come back until the ban is lifted", async () => {
  const { user, page } = await join("fritz");
  await settings.reload();
  await chooseInRow(row("Members", user.username), "Kick");
  await confirm("Kick");
  const link = page.getByRole("navigation", { name: "Servers" }).getByRole("link", { name: talk.server.name });
  await waitUntilGone(link);
  await joinServer(user, talk.server.id);
  await page.reload();
  await link.click();
  await composer(page).waitFor();
  await settings.reload();
  await chooseInRow(row("Members", user.username), "Ban");
  await settings.getByRole("dialog").getByRole("textbox", { name: "Reason (optional)" }).fill("Came back loud");
  await confirm("Ban");
  await waitUntilGone(link);
  await page.getByRole("link", { name: "Discover servers" }).click();
  const card = page.getByRole("main").getByRole("listitem").filter({ hasText: talk.server.name });
  await card.getByRole("button", { name: "Join" }).click();
  await card.getByRole("alert").waitFor();
  await openSection("Bans");
  await row("Bans", user.username).getByText("Came back loud").waitFor();
  await row("Bans", user.username).getByRole("button", { name: "Lift ban" }).click();
  await settings.getByText("Nobody is banned.").waitFor();
  await card.getByRole("button", { name: "Join" }).click();
  await composer(page).waitFor();
  await page.context().close();
  await openSection("Audit log");
  await settings.getByRole("combobox", { name: "Action" }).selectOption("Member banned");
  await row("Audit log", user.username).filter({ hasText: "Came back loud" }).waitFor();
});

test("auto-moderation refuses a word, says so to its author and keeps it in its log", async () => {
  const { ben, bensPage } = talk;
  await openSection("Auto-moderation");
  await settings.getByRole("checkbox", { name: "On", exact: true }).check();
  await settings.getByRole("checkbox", { name: "Block messages that contain these words" }).check();
  await button("Save").click();
  await settings.getByText("Saved.").waitFor();
  await settings.getByRole("textbox", { name: "Word" }).fill("checkmated");
  await button("Add").click();
  await row("Words", "checkmated").waitFor();
  await write(bensPage, "You are checkmated");
  await bensPage.getByRole("alert").filter({ hasText: "Message blocked by word filter" }).waitFor();
  // What was refused for its words is not sent again as it is: its author changes it.
  expect(await bensPage.getByRole("alert").getByRole("button").allTextContents()).toEqual(["Edit", "Delete"]);
  await bensPage.getByRole("alert").getByRole("button", { name: "Edit" }).click();
  await waitForValue(composer(bensPage), "You are checkmated");
  await write(bensPage, "You are mated");
  await sentMessage(bensPage, "You are mated");
  await waitForCount(messageWith(bensPage, "You are checkmated"), 0);
  await settings.reload();
  await row("Log", ben.username).filter({ hasText: "You are checkmated" }).waitFor();
  await settings.getByRole("button", { name: "Remove checkmated" }).click();
  await settings.getByText("The list is empty.").waitFor();
});

test("an emoji of the server is used by the others at once", async () => {
  const { adasPage, bensPage } = talk;
  await openSection("Emoji");
  await settings.getByRole("textbox", { name: "Name" }).fill("rook");
  await settings
    .getByLabel("Image (up to 256 KB)")
    .setInputFiles({ name: "rook.png", mimeType: "image/png", buffer: pngPixel });
  await button("Add an emoji").click();
  await row("Emoji", ":rook:").waitFor();
  await bensPage.getByRole("button", { name: "Emoji", exact: true }).click();
  const picker = bensPage.getByRole("region", { name: "Emoji" });
  await picker.getByRole("button", { name: ":rook:" }).click();
  await waitUntilGone(picker);
  await composer(bensPage).pressSequentially("to e4");
  await composer(bensPage).press("Enter");
  await messageWith(adasPage, "to e4").getByRole("img", { name: ":rook:" }).waitFor();
});

test("a webhook is made with a secret, delivers, and delivers again", async () => {
  const receiver = await startReceiver();
  try {
    await openSection("Webhooks");
    await settings.getByRole("textbox", { name: "Name" }).fill("Results");
    await settings.getByRole("textbox", { name: "URL" }).fill(`${receiver.url}/hook`);
    await settings.getByRole("checkbox", { name: "Message sent" }).check();
    await button("Create a webhook").click();
    const secret = settings.getByRole("region", { name: "Results" });
    await secret.getByText("Copy it now: you won’t see it again").waitFor();
    expect(await copyWith(secret.getByRole("button", { name: "Copy" }))).toMatch(/^whsec_|\S{20,}/);
    const { webhooks } = (await talk.ada.get(`/servers/${talk.server.id}/webhooks`)).expect(200, Webhooks);
    const [created] = webhooks;
    if (created === undefined) throw new Error("no webhook");
    await write(talk.bensPage, "One to nil");
    await receiver.waitFor(1);
    await waitUntil(async () => (await readLog(talk.ada, created))[0]?.status === "delivered", {
      what: "the end of the delivery",
    });
    await chooseInRow(row("Webhooks", "Results"), "Deliveries");
    const dialog = settings.getByRole("dialog", { name: "Deliveries of Results" });
    await dialog.getByText("Delivered", { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Deliver again" }).first().click();
    await receiver.waitFor(2);
    await settings.keyboard.press("Escape");
    await waitUntilGone(dialog);
  } finally {
    await receiver.close();
  }
});

test("the settings keep the name of the server, and lead back to it", async () => {
  await openSection("Overview");
  await settings.getByRole("textbox", { name: "Name", exact: true }).fill("Chess club of Ghent");
  await settings.getByRole("main").getByRole("button", { name: "Save" }).first().click();
  await settings.getByRole("heading", { name: "Settings of Chess club of Ghent" }).waitFor();
  await settings.keyboard.press("Escape");
  await settings.getByRole("button", { name: "Chess club of Ghent: menu" }).waitFor();
  await settings.waitForURL((url) => url.pathname.includes(channelPath({ server_id: talk.server.id, id: "" })));
});

test("the owner hands the server over, and the new one reads in the log who did", async () => {
  const { ada, ben, server } = talk;
  await settings.goto(`${stage.stack.edgeUrl}/app/servers/${server.id}/settings/overview`);
  await button("Hand over").click();
  const dialog = settings.getByRole("dialog");
  const password = dialog.getByLabel("Your password");
  const heir = dialog.getByRole("combobox", { name: "New owner" });
  await dialog.getByRole("searchbox", { name: "Find a member" }).fill(ben.username);
  await heir.selectOption(ben.username);
  await password.fill("not the password");
  await dialog.getByRole("button", { name: "Hand over", exact: true }).click();
  await dialog.getByRole("alert").filter({ hasText: "password" }).waitFor();
  await password.fill(ada.password);
  await confirm("Hand over");
  await button("Leave the server").waitFor();
  const nav = settings.getByRole("navigation", { name: /^Settings of/ });
  await waitUntilGone(nav.getByRole("link", { name: "Audit log" }));
  const bens = await stage.visit(ben, { path: `/servers/${server.id}/settings/audit-log` });
  const entry = bens.getByRole("main").getByRole("listitem").filter({ hasText: "Server handed over" });
  await entry.filter({ hasText: `From: ${ada.username} · To: ${ben.username}` }).waitFor();
});
