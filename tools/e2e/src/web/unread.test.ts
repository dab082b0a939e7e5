import { createChannel, createGate, createServerWithMembers, type Page, postMessage, waitUntil } from "@parley/testing";
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { channelPath, composer, messageWith, useWebStage, waitForCount, waitUntilGone } from "./web-stage.js";

const stage = useWebStage();
let page: Page;
let cards: ReturnType<typeof createCards>;
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
  cards = createCards();
  news = {
    async say(content) {
      const message = await postMessage(ada, id, content);
      cards.posted(message);
      return message;
    },
    read: async () => expect((await ben.post(`/channels/${id}/ack`)).status).toBe(204),
    attach: (message, form) => ada.send("POST", `/messages/${message.id}/attachments`, { body: form }),
  };
  for (let n = 1; n <= 30; n += 1) await news.say(`Read ${n}.`);
  await news.read();
  page = await stage.visit(ben, { path: channelPath(channel), prepare: cards.prepare });
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

/** Sends long messages at once, each with a link that gets a card. */
const burst = (name: string) =>
  Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      news.say(`${name} ${n + 1}. ${paragraph} https://letters.example/${name}/${n}`),
    ),
  );

/** Makes the page as slow as a telephone, so that what arrives meets it while it lays out and scrolls. */
async function slowDown(): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
}

const Posted = z.object({ id: z.string(), channel_id: z.string(), content: z.string() });
const PostedFrame = z.object({ t: z.literal("MESSAGE_CREATE"), d: Posted });

/** The event of the card of a message's link; null without a link. */
function cardFrame({ id, channel_id, content }: z.infer<typeof Posted>): string | null {
  const url = /https:\S+/.exec(content)?.[0];
  if (url === undefined) return null;
  const card = { url, title: `About ${url}`, description: paragraph, image: null, site_name: "Letters" };
  const d = { channel_id, message_id: id, previews: [card] };
  return JSON.stringify({ op: "DISPATCH", t: "MESSAGE_PREVIEWS", d });
}

/** Has the links of messages get cards, which make their rows grow, but only from `release` on. */
function createCards() {
  const held: string[] = [];
  let isReleased = false;
  let send = (_frame: string) => {};
  return {
    /** To be called for every message that is sent. */
    posted(message: z.infer<typeof Posted>) {
      const frame = cardFrame(message);
      if (frame !== null && !isReleased) held.push(frame);
    },
    prepare: (created: Page) =>
      created.routeWebSocket(/\/ws\?/, (socket) => {
        send = (frame) => socket.send(frame);
        socket.connectToServer().onMessage((frame) => {
          socket.send(frame);
          const { data } = PostedFrame.safeParse(JSON.parse(String(frame)));
          const card = data === undefined ? null : cardFrame(data.d);
          if (card !== null && isReleased) socket.send(card);
        });
      }),
    release() {
      isReleased = true;
      for (const frame of held) send(frame);
    },
  };
}

/** Where a message begins, in pixels from the top of the window. */
const topOf = async (text: string): Promise<number> => (await messageWith(page, text).boundingBox())?.y ?? 0;

/** The same once the list no longer scrolls: a slow page may paint nothing between two looks. */
async function topAtRest(text: string): Promise<number> {
  let before = await topOf(text);
  let paintsAlike = 0;
  const rests = async () => {
    await page.evaluate("new Promise(requestAnimationFrame)");
    const last = before;
    before = await topOf(text);
    paintsAlike = before === last ? paintsAlike + 1 : 0;
    return paintsAlike >= 10;
  };
  await waitUntil(rests, { what: "the list at rest" });
  return before;
}

const cardIn = (text: string) => messageWith(page, text).getByRole("link", { name: /^About / });

test("a burst of long messages leaves the end in sight, also on a slow device and when their previews come late", async () => {
  await page.getByRole("link", { name: "news" }).click();
  await waitUntil(() => isSeen("Read 30."), { what: "the end of the list in sight" });
  await slowDown();
  await burst("Letter");
  await news.say("Signed. https://letters.example/signed");
  await waitUntil(() => isSeen("Signed."), { what: "the end of the burst in sight" });
  cards.release();
  await cardIn("Signed.").waitFor();
  await waitUntil(() => isSeen("Signed."), { what: "the end in sight under the previews" });
  await burst("Answer");
  await news.say("Sealed.");
  await waitUntil(() => isSeen("Sealed."), { what: "the end in sight after the second burst" });
  await waitForCount(toNewest("Jump to the newest messages"), 0);
});

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

test("a reader who has scrolled up is not moved by a burst of long messages", async () => {
  await page.getByRole("link", { name: "news" }).click();
  await messageWith(page, "Read 30.").hover();
  await page.mouse.wheel(0, -300);
  await toNewest("Jump to the newest messages").waitFor();
  await waitUntil(() => isSeen("Read 10."), { what: "the messages further up" });
  await slowDown();
  const before = await topAtRest("Read 10.");
  await burst("Letter");
  await toNewest("12 new messages").waitFor();
  expect(Math.abs((await topOf("Read 10.")) - before)).toBeLessThan(1);
});

test("a channel that was opened at its first unread message stays there while what is around it grows", async () => {
  for (let n = 1; n <= 5; n += 1) await news.say(`Known ${n}. https://letters.example/known/${n}`);
  await news.read();
  // What was read elsewhere is known after a reload.
  await page.reload();
  await composer(page).waitFor();
  await news.say("Unread. https://letters.example/unread");
  await burst("Letter");
  await unreadLink().filter({ hasText: "unread" }).click();
  await waitUntil(() => isSeen("Unread."), { what: "the first unread message in sight" });
  await slowDown();
  const before = await topAtRest("Unread.");
  cards.release();
  for (const text of ["Unread.", "Known 5."]) await cardIn(text).waitFor();
  await burst("Answer");
  await toNewest("25 new messages").waitFor();
  await waitUntil(async () => Math.abs((await topOf("Unread.")) - before) < 1, {
    what: "the first unread message where it was",
  });
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
