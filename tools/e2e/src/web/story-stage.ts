import { Buffer } from "node:buffer";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { type Browser, type Page, waitUntil } from "@parley/testing";
import { afterAll, expect } from "vitest";
import {
  joinCall,
  keepConnections,
  speakingMark,
  stageOf,
  waitForFrames,
  waitForMore,
  waitUntilItFills,
} from "./call-media.js";
import { startStoryBot } from "./story-bot.js";
import {
  act,
  actInMenu,
  composer,
  messageWith,
  registerAs,
  useWebStage,
  waitForCount,
  waitUntilGone,
} from "./web-stage.js";

/** The stack and the Chromium of the story. Loaded by one test file of a run, as it registers hooks. */
export const stage = useWebStage({ fakeMedia: true });
const bots: ChildProcess[] = [];

afterAll(() => {
  for (const bot of bots) bot.kill();
});

/** How long a story may take. */
export const storyTimeoutMs = 360_000;

/** Registers in a browser that was never here. @returns the page, and the name of the account */
async function register(name: string, browser: Browser): Promise<{ page: Page; username: string }> {
  const page = await stage.visit(null, { path: "/register", browser, script: keepConnections });
  const username = `${name}_${randomUUID().slice(0, 8)}`;
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill("correct horse");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: "Welcome to Parley" }).waitFor();
  return { page, username };
}

/** Makes a server with a voice channel. @returns the link of an invite to it */
async function makeServer(page: Page): Promise<string> {
  await page.getByRole("main").getByRole("button", { name: "Add a server" }).click();
  const creating = page.getByRole("dialog");
  await creating.getByLabel("Server name").fill("Chess club");
  await creating.getByRole("button", { name: "Create", exact: true }).click();
  await composer(page).waitFor();
  const menu = async (entry: string) => {
    await page.getByRole("button", { name: "Chess club: menu" }).click();
    await page.getByRole("menuitem", { name: entry }).click();
  };
  await menu("Create a channel");
  const channel = page.getByRole("dialog", { name: "Create a channel" });
  await channel.getByRole("textbox", { name: "Name" }).fill("lounge");
  await channel.getByLabel("Type").selectOption({ label: "Voice" });
  await channel.getByRole("button", { name: "Create channel" }).click();
  await waitUntilGone(channel);
  await menu("Invite people");
  const inviting = page.getByRole("dialog", { name: /Invite/ });
  await inviting.getByRole("button", { name: "Create link" }).click();
  const link = await waitUntil(async () => {
    const value = await inviting.getByRole("textbox", { name: "Invite link" }).inputValue();
    return value !== "" && value;
  });
  await inviting.getByRole("button", { name: "Close" }).click();
  await waitUntilGone(inviting);
  return link;
}

/**
 * Types over the content of a field, key by key: in Firefox, React does not see text that Playwright's `fill` puts in.
 */
async function type(field: ReturnType<typeof composer>, text: string): Promise<void> {
  await field.click();
  await field.press("Control+a");
  await field.pressSequentially(text);
}

/** Writes a message and sends it. */
async function say(page: Page, text: string): Promise<void> {
  await type(composer(page), text);
  await composer(page).press("Enter");
}

/** Messages both ways, one of them edited, a reaction, and a file. */
async function talk(host: Page, guest: Page): Promise<void> {
  await say(guest, "Is anybody here?");
  await messageWith(host, "Is anybody here?").waitFor();
  await say(host, "Welcome!");
  await messageWith(guest, "Welcome!").waitFor();

  await act(host, "Welcome!", "Edit");
  const editor = host.getByRole("textbox", { name: "Edit message" });
  await type(editor, "Welcome to the club!");
  await editor.press("Enter");
  await messageWith(guest, "Welcome to the club!").waitFor();

  await act(guest, "Welcome to the club!", "Add a reaction");
  await type(guest.getByRole("searchbox", { name: "Find an emoji" }), "heart");
  await guest.getByRole("region", { name: "Emoji" }).getByRole("button", { name: "red heart" }).click();
  await messageWith(host, "Welcome to the club!")
    .getByRole("button", { name: /: 1 reaction$/ })
    .waitFor();

  const [chooser] = await Promise.all([
    guest.waitForEvent("filechooser"),
    guest
      .getByRole("button", { name: "Poll, event, files" })
      .click()
      .then(() => guest.getByRole("menuitem", { name: "Attach files" }).click()),
  ]);
  await chooser.setFiles({ name: "rules.txt", mimeType: "text/plain", buffer: Buffer.from("Touch, move.") });
  await guest.getByRole("button", { name: "Remove rules.txt" }).waitFor();
  await say(guest, "The rules");
  await messageWith(host, "The rules").getByText("rules.txt").waitFor();
}

/**
 * The host reports a message of the guest, and closes the report; a channel is hidden from the guest and shown again.
 */
async function moderate(host: Page, guest: Page): Promise<void> {
  await actInMenu(host, "Is anybody here?", "Report");
  const report = host.getByRole("dialog");
  await type(report.getByRole("textbox", { name: "What’s wrong with it?" }), "Too curious");
  await report.getByRole("button", { name: "Report", exact: true }).click();
  await waitUntilGone(report);
  await host.getByRole("button", { name: "Chess club: menu" }).click();
  await host.getByRole("menuitem", { name: "Moderation" }).click();
  const row = host.getByRole("list", { name: "Reports" }).getByRole("listitem").filter({ hasText: "Too curious" });
  await row.getByRole("button", { name: "Close" }).click();
  await host.getByRole("dialog").getByRole("button", { name: "Close", exact: true }).last().click();
  await waitForCount(row, 0);

  await host.getByRole("link", { name: "Channels" }).click();
  await host.getByRole("button", { name: "More options for lounge" }).click();
  await host.getByRole("menuitem", { name: "Permissions" }).click();
  const hidden = host.getByRole("checkbox", { name: "Only those who are chosen see this channel" });
  const lounge = guest.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: "lounge" });
  await lounge.waitFor();
  await hidden.click();
  await waitForCount(lounge, 0);
  await hidden.click();
  await lounge.waitFor();
  await host.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await host.goBack();
  await host.goBack();
  await composer(host).waitFor();
}

/** The host opens a group with the guest and somebody else of the server; the guest writes there, and both leave it. */
async function talkInGroup(host: Page, guest: Page, third: string): Promise<void> {
  for (const page of [host, guest]) await page.getByRole("link", { name: "Direct messages" }).click();
  await host.getByRole("button", { name: "New group" }).click();
  const creating = host.getByRole("dialog", { name: "New group" });
  // The first chosen user owns the group after the host.
  await creating.getByRole("checkbox", { name: /^guest_/ }).click();
  await creating.getByRole("checkbox", { name: third }).click();
  await type(creating.getByRole("textbox", { name: "Name of the group" }), "Analysis");
  await creating.getByRole("button", { name: "Start the group" }).click();
  await guest.getByRole("link", { name: /Analysis/ }).click();
  await say(guest, "A good game.");
  await messageWith(host, "A good game.").waitFor();
  for (const page of [host, guest]) {
    const link = page.getByRole("link", { name: /Analysis/ });
    await link.waitFor();
    await page.getByRole("button", { name: "People and settings of the group" }).click();
    const dialog = page.getByRole("dialog", { name: "Group" });
    await dialog.getByRole("listitem").filter({ hasText: "(you)" }).getByText("Owner").waitFor();
    await dialog.getByRole("button", { name: "Leave the group" }).click();
    const asking = page.getByRole("dialog", { name: "Leave Analysis?" });
    await asking.getByRole("button", { name: "Leave the group" }).click();
    await waitForCount(link, 0);
    await page.getByRole("link", { name: "Chess club" }).click();
    await composer(page).waitFor();
  }
}

/** Joins a server by the link of an invite. @returns the name of the new member */
async function joinAs(name: string, link: string): Promise<string> {
  const person = await registerAs(stage.client, name);
  expect((await person.post(`/invites/${link.split("/").at(-1)}/accept`)).status).toBe(201);
  return person.username;
}

/** The host makes a bot and adds it to the server; the guest uses it. */
async function playWithBot(host: Page, guest: Page): Promise<void> {
  await host.goto(`${stage.stack.edgeUrl}/app/account/bots`);
  await type(host.getByRole("textbox", { name: "Name" }), "Arbiter");
  await host.getByRole("button", { name: "Create a bot" }).click();
  const bot = await startStoryBot(stage.stack.edgeUrl, (await host.locator("pre").first().textContent()) ?? "");
  bots.push(bot);
  await host.getByRole("button", { name: "More options for Arbiter" }).click();
  await host.getByRole("menuitem", { name: "Adding it to servers" }).click();
  const link = await host.getByRole("dialog").locator("pre").textContent();
  await host.goto(link ?? "");
  await host.getByRole("button", { name: "Add", exact: true }).click();
  await composer(host).waitFor();

  await type(composer(guest), "/cl");
  await guest.getByRole("option", { name: /^\/clock/ }).waitFor();
  await composer(guest).press("Enter");
  const minutes = guest.getByRole("form", { name: "/clock" }).getByRole("textbox", { name: "minutes" });
  await type(minutes, "5");
  await minutes.press("Enter");
  await messageWith(host, "5 minutes each").waitFor();
  await messageWith(guest, "5 minutes each").getByRole("button", { name: "Claim a draw" }).click();
  const reason = guest.getByRole("dialog", { name: "Why is it a draw?" }).getByRole("textbox", { name: "Reason" });
  await type(reason, "Bare kings");
  await reason.press("Enter");
  await messageWith(guest, "Claimed: Bare kings").getByText("Only you can see this").waitFor();
  await say(guest, "A draw, then.");
  await messageWith(host, "A draw, then.").waitFor();
  await expect.poll(() => messageWith(host, "Claimed: Bare kings").count()).toBe(0);
}

/** A call with sound and the guest's camera. */
async function call(host: { page: Page; username: string }, guest: { page: Page; username: string }): Promise<void> {
  for (const { page } of [host, guest]) await joinCall(page, "lounge");
  for (const [one, other] of [
    [host, guest],
    [guest, host],
  ] as const) {
    await waitForMore(one.page, "audio", "totalAudioEnergy");
    await speakingMark(one.page, other.username).waitFor();
    await speakingMark(one.page, one.username).waitFor();
    await stageOf(one.page).getByRole("button", { name: "Turn the camera on" }).click();
    await waitForFrames(other.page, `Camera of ${one.username}`);
    await waitUntilItFills(other.page, `Camera of ${one.username}`);
  }
  await stageOf(guest.page).getByRole("button", { name: "Leave the call" }).click();
  await waitUntilGone(guest.page.getByRole("region", { name: "Call" }));
  await stageOf(host.page).getByRole("button", { name: "Leave the call" }).click();
  await host.page.getByText("Nobody is here yet.").waitFor();
}

/**
 * Somebody makes a server in one browser, somebody with the other is invited, and they talk, also in a group, share,
 * moderate, use a bot and call.
 */
export async function tellStory(hosts: Browser, guests: Browser): Promise<void> {
  const [host, guest] = await Promise.all([register("host", hosts), register("guest", guests)]);
  const link = await makeServer(host.page);
  const third = await joinAs("third", link);
  await guest.page.goto(link);
  await guest.page.getByRole("button", { name: "Join" }).click();
  await composer(guest.page).waitFor();
  await host.page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: "general" }).click();
  await talk(host.page, guest.page);
  await moderate(host.page, guest.page);
  await talkInGroup(host.page, guest.page, third);
  await playWithBot(host.page, guest.page);
  await call(host, guest);
  expect(await host.page.evaluate("openConnections().length")).toBe(0);
  for (const { page } of [host, guest]) await page.context().close();
}
