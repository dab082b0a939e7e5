import { createChannel, createGate, createServerWithMembers, type Page, postMessage, waitUntil } from "@parley/testing";
import { beforeEach, expect, test } from "vitest";
import { channelPath, composer, messageWith, useWebStage, waitUntilGone } from "./web-stage.js";

const stage = useWebStage();
let page: Page;
let news: {
  say: (content: string) => Promise<{ id: string }>;
  attach: (message: { id: string }, form: FormData) => Promise<{ status: number }>;
};

/** Ben looks at one channel of a server, and is to read another one, in which he has read 30 messages. */
beforeEach(async () => {
  const { owner: ada, members, server, channel } = await createServerWithMembers(stage.client, 1);
  const [ben] = members;
  if (ben === undefined) throw new Error("The fixture has too few members.");
  const { id } = await createChannel(ada, server.id, { name: "news" });
  news = {
    say: (content) => postMessage(ada, id, content),
    attach: (message, form) => ada.send("POST", `/messages/${message.id}/attachments`, { body: form }),
  };
  for (let n = 1; n <= 30; n += 1) await news.say(`Read ${n}.`);
  expect((await ben.post(`/channels/${id}/ack`)).status).toBe(204);
  page = await stage.visit(ben, { path: channelPath(channel) });
  await composer(page).waitFor();
  return () => page.context().close();
});

/** The link to the channel, while it has unread messages. */
const unreadLink = () => page.getByRole("link", { name: "news" }).filter({ hasText: "unread" });

/** Whether a message stands within the list's part that is seen. */
async function isSeen(text: string): Promise<boolean> {
  const [row, frame] = [
    await messageWith(page, text).boundingBox(),
    await page.getByRole("region", { name: "Messages" }).boundingBox(),
  ];
  if (row === null || frame === null) return false;
  return row.y >= frame.y && row.y + row.height <= frame.y + frame.height;
}

/** The button that leads to the end of the list, by its text. */
const toNewest = (name: string) => page.getByRole("button", { name, exact: true });

test("a channel with more unread messages than fit is opened at the first of them, and read when its end is", async () => {
  for (let n = 1; n < 40; n += 1) await news.say(`Unread ${n}.`);
  await news.say("Unread 40. @everyone");
  // With fewer than fit, of a page whose events come late, it would count as read when it is opened.
  await unreadLink().filter({ hasText: "1 mention" }).click();
  await messageWith(page, "Unread 1.").waitFor();
  await waitUntil(() => isSeen("Unread 1."), { what: "the first unread message in sight" });
  await toNewest("40 new messages").waitFor();
  expect(await unreadLink().count()).toBe(1);
  await toNewest("40 new messages").click();
  await messageWith(page, "Unread 40.").waitFor();
  await waitUntilGone(unreadLink());
});

test("a channel whose unread messages fit is read when it is opened, and follows what is sent", async () => {
  for (const text of ["Unread 1.", "Unread 2."]) await news.say(text);
  await unreadLink().click();
  await waitUntilGone(unreadLink());
  for (let n = 1; n <= 20; n += 1) await news.say(`Later ${n}.`);
  await messageWith(page, "Later 20.").waitFor();
  await waitUntil(() => isSeen("Later 20."), { what: "the newest message in sight" });
});

const paragraph = "The committee has read every letter that came in, and has answered most of them. ".repeat(9);

/** Sends long messages without a pause between them. */
const burst = async (name: string) => {
  for (let n = 1; n <= 12; n += 1) await news.say(`${name} ${n}. ${paragraph}`);
};

test("a burst of long messages, a picture that comes late and a growing composer leave the end in sight", async () => {
  const attached = createGate();
  await page.route(/\/attachments$/, async (route) => {
    await attached.opened;
    await route.continue();
  });
  await page.getByRole("link", { name: "news" }).click();
  await messageWith(page, "Read 30.").waitFor();
  await burst("Letter");
  await messageWith(page, "Letter 12.").waitFor();
  await waitUntil(() => isSeen("Letter 12."), { what: "the end of the burst in sight" });
  const last = await news.say("Signed.");
  await messageWith(page, "Signed.").waitFor();
  const form = new FormData();
  form.append("files", new Blob([await page.screenshot()], { type: "image/png" }), "letter.png");
  expect((await news.attach(last, form)).status).toBe(201);
  attached.open();
  await messageWith(page, "Signed.").getByRole("button", { name: "Open letter.png" }).waitFor();
  await waitUntil(() => isSeen("Signed."), { what: "the picture in sight" });
  await composer(page).fill("One\nline\nafter\nthe\nother");
  await waitUntil(() => isSeen("Signed."), { what: "the end above the grown composer" });
});

test("a reader who has scrolled up is not moved by a burst of long messages", async () => {
  await page.getByRole("link", { name: "news" }).click();
  await messageWith(page, "Read 30.").hover();
  await page.mouse.wheel(0, -300);
  await toNewest("Jump to the newest messages").waitFor();
  await waitUntil(() => isSeen("Read 10."), { what: "the messages further up" });
  const before = await messageWith(page, "Read 10.").boundingBox();
  await burst("Letter");
  await toNewest("12 new messages").waitFor();
  expect(await messageWith(page, "Read 10.").boundingBox()).toEqual(before);
});

test("what is read in one tab is read in the other tabs of the browser, and no longer counted in their titles", async () => {
  const other = await page.context().newPage();
  await other.goto(page.url());
  await composer(other).waitFor();
  await news.say("Unread 1. @everyone");
  const inOther = other.getByRole("link", { name: "news" }).filter({ hasText: "1 mention" });
  await inOther.waitFor();
  await waitUntil(async () => (await other.title()).startsWith("(1) "), { what: "the mention in the title" });
  await unreadLink().filter({ hasText: "1 mention" }).click();
  await waitUntilGone(unreadLink());
  await waitUntilGone(inOther);
  await waitUntil(async () => !(await other.title()).startsWith("("), { what: "the title without the mention" });
});
