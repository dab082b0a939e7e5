import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { createServer, joinServer, type Page, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import {
  channelPath,
  composer,
  messageWith,
  openConversation,
  registerAs,
  useWebStage,
  waitForCount,
  waitUntilGone,
  write,
} from "./web-stage.js";

const stage = useWebStage();

/** Registers in a browser that was never here. */
async function register(name: string): Promise<Page> {
  const page = await stage.visit(null, { path: "/register" });
  await page.getByLabel("Username").fill(`${name}_${randomUUID().slice(0, 8)}`);
  await page.getByLabel("Password").fill("correct horse");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: "Welcome to Parley" }).waitFor();
  return page;
}

test("newcomers register, one makes a server, the other comes by an invite, and they talk", async () => {
  const [host, guest] = await Promise.all([register("host"), register("guest")]);
  await host.getByRole("main").getByRole("button", { name: "Add a server" }).click();
  const creating = host.getByRole("dialog");
  await creating.getByLabel("Server name").fill("Chess club");
  await creating.getByRole("button", { name: "Create", exact: true }).click();
  await composer(host).waitFor();
  await host.getByRole("button", { name: "Chess club: menu" }).click();
  await host.getByRole("menuitem", { name: "Invite people" }).click();
  const inviting = host.getByRole("dialog", { name: /Invite/ });
  await inviting.getByRole("combobox", { name: "Expires after" }).and(host.locator(":focus")).waitFor();
  await inviting.getByRole("button", { name: "Create link" }).click();
  const link = await waitUntil(async () => {
    const value = await inviting.getByRole("textbox", { name: "Invite link" }).inputValue();
    return value !== "" && value;
  });
  await inviting.getByRole("button", { name: "Close" }).click();
  const steps = host.getByRole("region", { name: "Chess club is ready" });
  const step = (name: string) => steps.getByRole("button", { name });
  await step("Invite your people done").waitFor();
  expect(await host.title()).toBe("#general – Chess club");
  await step("Create a channel for a topic done").waitFor();

  await guest.goto(link);
  await guest.getByRole("button", { name: "Join" }).click();
  const welcome = guest.getByRole("region", { name: "Welcome to Chess club" });
  await welcome.getByRole("button", { name: "Say hello" }).click();
  await composer(guest).and(guest.locator(":focus")).waitFor();
  await write(guest, "Is anybody here?");
  await waitUntilGone(welcome);
  await step("Write the first message").click();
  await write(host, "Welcome!");
  await step("Write the first message done").waitFor();
  // What is dismissed does not come back.
  await steps.getByRole("button", { name: "Hide the first steps" }).click();
  await host.reload();
  await composer(host).waitFor();
  await waitForCount(steps, 0);
  await messageWith(host, "Is anybody here?").waitFor();
  await messageWith(guest, "Welcome!").waitFor();
});

test("hostile texts and names of files stay texts", async () => {
  const { adasPage, bensPage } = await openConversation(stage);
  const chooser = adasPage.waitForEvent("filechooser");
  await adasPage.getByRole("button", { name: "Poll, event, files" }).click();
  await adasPage.getByRole("menuitem", { name: "Attach files" }).click();
  await (await chooser).setFiles([
    { name: "\u202egnp.<img src=x onerror=alert(1)>.txt", mimeType: "text/plain", buffer: Buffer.from("text") },
  ]);
  await write(
    adasPage,
    "<script>document.title = 'taken'</script> [x](javascript:alert(1)) ![y](https://example.com/y.png)",
  );
  const message = messageWith(bensPage, "<script>");
  await message.getByText("<img src=x onerror=alert(1)>").waitFor();
  expect(await bensPage.title()).not.toBe("taken");
  expect(await message.locator("a[href^='javascript'], img").count()).toBe(0);
  await write(adasPage, `\`\`\`\n${"line\n".repeat(700)}\`\`\``);
  const messages = bensPage.getByRole("region", { name: "Messages" });
  await messages.getByRole("button", { name: /^Show all \d+ lines$/ }).click();
  await messages.getByRole("button", { name: "Show less" }).waitFor();
});

test("a link to a message that is gone leads to its channel", async () => {
  const { ada, server, channel } = await openConversation(stage);
  const path = channelPath({ server_id: server.id, id: channel.id });
  const page = await stage.visit(ada, { path: `${path}/${randomUUID()}` });
  await page.waitForURL(`**/app${path}`);
  await composer(page).waitFor();
});

test("in a server without channels those who may are offered to create the first one", async () => {
  const [owner, member] = [await registerAs(stage.client, "ove"), await registerAs(stage.client, "mia")];
  const server = await createServer(owner, { name: "Empty hall", is_public: true });
  await joinServer(member, server.id);
  const [ownersPage, membersPage] = [
    await stage.visit(owner, { path: `/servers/${server.id}` }),
    await stage.visit(member, { path: `/servers/${server.id}` }),
  ];
  const offers = (page: Page) => page.getByRole("button", { name: "Create a channel" });
  await membersPage
    .getByRole("main")
    .getByRole("heading", { name: "There are no channels here that you can see." })
    .waitFor();
  await waitForCount(offers(ownersPage), 2);
  await waitForCount(offers(membersPage), 0);
  await ownersPage.getByRole("main").getByRole("button", { name: "Create a channel" }).click();
  const dialog = ownersPage.getByRole("dialog", { name: "Create a channel" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("first");
  await dialog.getByRole("button", { name: "Create channel" }).click();
  await ownersPage.getByRole("heading", { name: "first", level: 1 }).waitFor();
  await waitUntilGone(dialog);
  await ownersPage.getByRole("region", { name: "Messages" }).getByRole("button", { name: "Invite people" }).click();
  await ownersPage.getByRole("dialog", { name: /^Invite people/ }).waitFor();
  for (const page of [ownersPage, membersPage]) await page.context().close();
});

test("a long name leaves a dialog within the window of a telephone", async () => {
  const user = await registerAs(stage.client, "noa");
  const server = await createServer(user, { name: "Long ".repeat(20).trim() });
  const width = 390;
  const page = await stage.visit(user, { path: `/servers/${server.id}`, viewport: { width, height: 780 } });
  await page.getByRole("main").getByRole("button", { name: "Create a channel" }).waitFor();
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Go to" });
  await dialog.getByRole("option", { name: server.name }).waitFor();
  const box = await dialog.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? width)).toBeLessThanOrEqual(width);
  await page.context().close();
});
