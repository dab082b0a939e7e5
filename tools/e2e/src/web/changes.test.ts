import { permissionBits, type Role } from "@parley/contracts";
import { assignRole, createChannel, createRole, createServerWithMembers, type Page, waitUntil } from "@parley/testing";
import { describe, expect, test } from "vitest";
import {
  act,
  channelPath,
  composer,
  messageWith,
  openConversation,
  sentMessage,
  useWebStage,
  waitForValue,
  waitUntilGone,
  write,
} from "./web-stage.js";

// What changes under an open page: permissions, and the version of the page itself.

const stage = useWebStage();

const channelLink = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: new RegExp(name) });
/** Marks the page as not loaded again. */
const mark = (page: Page) => page.evaluate("globalThis.isSamePage = true");
const isMarked = (page: Page) => page.evaluate<boolean>("globalThis.isSamePage === true");

const focusIn = (page: Page, name: string) =>
  waitUntil(async () => (await page.evaluate("document.activeElement.getAttribute('aria-label')")) === name, {
    what: `the focus in “${name}”`,
  });

test("channels appear and vanish with overrides and roles, and an open one that vanishes leads away", async () => {
  const { owner, members, server, channel } = await createServerWithMembers(stage.client, 1);
  const [member] = members;
  const everybody: Role = await createRole(owner, server.id, { name: "Everybody", permissions: 0 });
  await assignRole(owner, everybody, member);
  const secret = await createChannel(owner, server.id, { name: "secret" });
  const deny = { role_id: everybody.id, allow: 0, deny: permissionBits.VIEW_CHANNEL };
  const overrides = `/channels/${secret.id}/overrides`;
  expect((await owner.put(overrides, deny)).status).toBe(200);

  const page = await stage.visit(member, { path: channelPath(channel) });
  await composer(page).waitFor();
  await channelLink(page, channel.name).waitFor();
  await mark(page);
  const link = channelLink(page, "secret");
  expect(await link.count()).toBe(0);

  // An override of the role is changed, a permission is added to the role, and the override is taken away.
  expect((await owner.put(overrides, { ...deny, deny: 0 })).status).toBe(200);
  await link.waitFor();
  expect((await owner.put(overrides, deny)).status).toBe(200);
  await waitUntilGone(link);
  const role = `/servers/${server.id}/roles/${everybody.id}`;
  expect((await owner.patch(role, { permissions: permissionBits.ADMINISTRATOR })).status).toBe(200);
  await link.waitFor();
  await link.click();
  await page.getByRole("heading", { name: "secret", level: 1 }).waitFor();
  await write(page, "I am in");
  // Not only shown: until it is stored, the change of the role would refuse it.
  await sentMessage(page, "I am in");
  // The role loses it while the channel is open.
  expect((await owner.patch(role, { permissions: 0 })).status).toBe(200);
  const notice = page.getByRole("status").filter({ hasText: "You no longer have access to #secret." });
  await notice.waitFor();
  await page.getByRole("heading", { name: channel.name, level: 1 }).waitFor();
  await waitUntilGone(link);
  await composer(page).waitFor();
  await notice.getByRole("button", { name: "Close" }).click();
  await waitUntilGone(notice);
  await owner.post(`/channels/${secret.id}/messages`, { content: "While nobody looked" });
  // Once open again it has what was written meanwhile.
  const answer = await owner.delete(role);
  expect(answer.status).toBe(204);
  await link.click();
  await messageWith(page, "While nobody looked").waitFor();
  await messageWith(page, "I am in").waitFor();
  expect(await isMarked(page)).toBe(true);
  await page.context().close();
});

test("one goes on writing in a thread after a message in it was edited", async () => {
  const { adasPage, bensPage } = await openConversation(stage);
  await write(adasPage, "Which opening?");
  await act(adasPage, "Which opening?", "Reply in a thread");
  const thread = adasPage.getByRole("complementary", { name: "Thread" });
  const reply = thread.getByRole("textbox", { name: "Reply in the thread" });
  await reply.fill("The Ducth");
  await reply.press("Enter");
  const sent = thread.getByRole("article").filter({ hasText: "The Ducth" });
  await sent.filter({ hasNotText: "Sending" }).waitFor();
  for (const [button, text] of [
    ["Edit", "The Dutch"],
    ["Edit", "The Dutch Defence"],
  ] as const) {
    const message = thread.getByRole("article").filter({ hasText: /The Du/ });
    await message.hover();
    await message.getByRole("toolbar").getByRole("button", { name: button, exact: true }).click();
    const editor = thread.getByRole("textbox", { name: "Edit message" });
    await editor.fill(text);
    await editor.press("Enter");
    await thread.getByRole("article").filter({ hasText: text }).waitFor();
    await focusIn(adasPage, "Reply in the thread");
  }
  // The message that the thread is about stands on both sides, and is edited on one of them.
  const root = thread.getByRole("article").filter({ hasText: "Which opening?" });
  await root.hover();
  await root.getByRole("toolbar").getByRole("button", { name: "Edit", exact: true }).click();
  await thread.getByRole("textbox", { name: "Edit message" }).waitFor();
  expect(await adasPage.getByRole("textbox", { name: "Edit message" }).count()).toBe(1);
  await adasPage.keyboard.press("Escape");
  await focusIn(adasPage, "Reply in the thread");
  for (const page of [adasPage, bensPage]) await page.context().close();
});

describe("a deployment under an open page", () => {
  interface Visitor {
    page: Page;
    /** How often the page was loaded. */
    loads: () => number;
  }

  /** Somebody has begun to write. The script of the pinned messages is gone for as many loads of the page as told. */
  async function openWithout(loadsWithout: number): Promise<Visitor> {
    const { owner, channel } = await createServerWithMembers(stage.client, 0);
    const page = await stage.visit(owner, { path: channelPath(channel) });
    let loads = 1;
    page.on("load", () => {
      loads += 1;
    });
    await composer(page).waitFor();
    await page.route(/\/assets\/pins-panel-[^/]*\.js$/, (route) =>
      loads > loadsWithout
        ? route.continue()
        : route.fulfill({ status: 404, contentType: "text/plain", body: "Not found" }),
    );
    await composer(page).fill("Half a sen");
    await mark(page);
    return { page, loads: () => loads };
  }
  const pins = (page: Page) => page.getByRole("button", { name: "Pinned messages" });

  test("the page loads itself again, with the draft and where it was, and goes on", async () => {
    const { page, loads } = await openWithout(1);
    const before = page.url();
    await pins(page).click();
    await waitUntil(async () => !(await isMarked(page)), { what: "another page" });
    await waitForValue(composer(page), "Half a sen");
    expect(page.url()).toBe(before);
    await pins(page).click();
    await page.getByText("Nothing is pinned yet").waitFor();
    expect(loads()).toBe(2);
    await page.context().close();
  });

  test("it does so once: what is missing for good is said in its place", async () => {
    const { page, loads } = await openWithout(Number.POSITIVE_INFINITY);
    await pins(page).click();
    await waitUntil(async () => !(await isMarked(page)), { what: "another page" });
    await composer(page).waitFor();
    await mark(page);
    await pins(page).click();
    await page
      .getByRole("alert")
      .getByText(/This part could not be loaded/)
      .waitFor();
    expect([await isMarked(page), loads()]).toEqual([true, 2]);
    await waitForValue(composer(page), "Half a sen");
    await page.context().close();
  });

  test("it waits for somebody who has chosen files, and asks", async () => {
    const { page } = await openWithout(1);
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page
        .getByRole("button", { name: "Poll, event, files" })
        .click()
        .then(() => page.getByRole("menuitem", { name: "Attach files" }).click()),
    ]);
    await chooser.setFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("notes") });
    await page.getByRole("button", { name: "Remove notes.txt" }).waitFor();
    await pins(page).click();
    const note = page.getByRole("alert");
    await note.getByText(/This part could not be loaded/).waitFor();
    expect(await isMarked(page)).toBe(true);
    await page.getByRole("button", { name: "Remove notes.txt" }).waitFor();
    await note.getByRole("button", { name: "Reload the page" }).click();
    await waitUntil(async () => !(await isMarked(page)), { what: "another page" });
    await waitForValue(composer(page), "Half a sen");
    await page.context().close();
  });
});
