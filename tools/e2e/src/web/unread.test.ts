import { createChannel, createGate, createServerWithMembers, type Page, postMessage, waitUntil } from "@parley/testing";
import { beforeEach, expect, test } from "vitest";
import { channelPath, composer, messageWith, useWebStage, waitUntilGone } from "./web-stage.js";

// How the list is placed when messages come is in packages/web/src/screens/conversation/list/unread.page.test.tsx.
const stage = useWebStage();
let page: Page;
let news: {
  say: (content: string) => Promise<{ id: string }>;
  /** Has the reader read all of it. */
  read: () => Promise<void>;
  attach: (message: { id: string }, form: FormData) => Promise<{ status: number }>;
};

/** Ben looks at one channel of a server, and is to read another one, in which he has read 30 messages. */
beforeEach(async () => {
  const { owner: ada, members, server, channel } = await createServerWithMembers(stage.client, 1);
  const [ben] = members;
  const { id } = await createChannel(ada, server.id, { name: "news" });
  news = {
    say: (content) => postMessage(ada, id, content),
    read: async () => expect((await ben.post(`/channels/${id}/ack`)).status).toBe(204),
    attach: (message, form) => ada.send("POST", `/messages/${message.id}/attachments`, { body: form }),
  };
  for (let n = 1; n <= 30; n += 1) await news.say(`Read ${n}.`);
  await news.read();
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

test("a picture that comes late and a growing composer leave the end in sight", async () => {
  const attached = createGate();
  await page.route(/\/attachments$/, async (route) => {
    await attached.opened;
    await route.continue();
  });
  await page.getByRole("link", { name: "news" }).click();
  await messageWith(page, "Read 30.").waitFor();
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
