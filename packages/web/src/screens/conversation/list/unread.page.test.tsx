import type { DetailedMessage, LinkPreview } from "@parley/client";
import { expect, onTestFinished, test } from "vitest";
import { cdp, page, userEvent } from "vitest/browser";
import { composer, messageWith } from "../../../page-stage/conversation.js";
import { channel, channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { holdPictures, picture } from "../../../page-stage/pictures.js";
import { counted, gone, shown } from "../../../page-stage/seeing.js";
import { type Stage, visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

/** A channel beside the one that is shown. */
interface News extends Stage {
  readonly id: string;
  /** Ada writes something, as a rule with a link that gets a card. */
  say(content: string): DetailedMessage;
  /** Gives the links of messages their cards, those of later ones at once. */
  releaseCards(): void;
}

const paragraph = "The committee has read every letter that came in, and has answered most of them. ".repeat(9);

/** Ben looks at one channel of a server, and is to read another one, in which he has read 30 messages and some more. */
async function openBeside(alsoRead: readonly string[] = []): Promise<News> {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const news = channel(club.server, "news");
  club.channels.push(news);
  const read = Array.from({ length: 30 }, (_, index) => `Read ${index + 1}.`);
  const messages = [...read, ...alsoRead].map((content) => message(news, ada, content));
  club.messages[news.id] = messages;
  const stage = await visit(world(ben, [club]), { path: channelPath(club.channels[0]) });
  await shown(composer());
  await stage.settled();
  const withoutCard = messages.filter(({ content }) => content.includes("https:"));
  let isReleased = false;
  const sendCard = ({ id, content }: DetailedMessage) => {
    const url = /https:\S+/.exec(content)?.[0] ?? "";
    const card: LinkPreview = { url, title: `About ${url}`, description: paragraph, image: null, site_name: "Letters" };
    stage.socket.event("MESSAGE_PREVIEWS", { channel_id: news.id, message_id: id, previews: [card] });
  };
  return Object.assign(stage, {
    id: news.id,
    say(content: string) {
      const mentions = { mention_everyone: content.includes("@everyone") };
      const sent = message(news, ada, content, mentions);
      stage.arrives(sent);
      if (content.includes("https:")) {
        if (isReleased) sendCard(sent);
        else withoutCard.push(sent);
      }
      return sent;
    },
    releaseCards() {
      isReleased = true;
      for (const sent of withoutCard.splice(0)) sendCard(sent);
    },
  });
}

/** The link to the channel, and the same while it has unread messages. */
const link = () => page.getByRole("link", { name: "news" });
const unreadLink = () => link().filter({ hasText: "unread" });

/** Whether a message stands within the list's part that is seen. */
function isSeen(text: string): boolean {
  const row = messageWith(text).query()?.getBoundingClientRect();
  const frame = page.getByRole("region", { name: "Messages" }).query()?.getBoundingClientRect();
  return row !== undefined && frame !== undefined && row.top >= frame.top && row.bottom <= frame.bottom;
}
const seen = (text: string) => expect.poll(() => isSeen(text), { message: `“${text}” in sight` }).toBe(true);

/** The button that leads to the end of the list, by its text. */
const toNewest = (name: string) => page.getByRole("button", { name, exact: true });

/** Long messages at once, each with a link that gets a card. */
function burst(news: News, name: string): void {
  for (let n = 1; n <= 12; n += 1) news.say(`${name} ${n}. ${paragraph} https://letters.example/${name}/${n - 1}`);
}

/** Makes the page as slow as a telephone, so that messages arrive while it lays out and scrolls. */
async function slowDown(): Promise<void> {
  onTestFinished(async () => {
    await cdp().send("Emulation.setCPUThrottlingRate", { rate: 1 });
  });
  await cdp().send("Emulation.setCPUThrottlingRate", { rate: 4 });
}

/** Where a message begins, in pixels from the top of the window. */
const topOf = (text: string): number => messageWith(text).query()?.getBoundingClientRect().top ?? 0;

/** The same once the list no longer scrolls. */
async function topAtRest(text: string): Promise<number> {
  let before = topOf(text);
  let paintsAlike = 0;
  const paints = async () => {
    await new Promise(requestAnimationFrame);
    const last = before;
    before = topOf(text);
    paintsAlike = before === last ? paintsAlike + 1 : 0;
    return paintsAlike;
  };
  await expect.poll(paints, { interval: 0, message: "the list at rest" }).toBeGreaterThanOrEqual(10);
  return before;
}

const cardIn = (text: string) => messageWith(text).getByRole("link", { name: /^About / });

test("a channel with more unread messages than fit is opened at the first of them, and read when its end is", async () => {
  const news = await openBeside();
  for (let n = 1; n < 40; n += 1) news.say(`Unread ${n}.`);
  const { id } = news.say("Unread 40. @everyone");
  await unreadLink().filter({ hasText: "1 mention" }).click();
  await shown(messageWith("Unread 1."));
  await seen("Unread 1.");
  await shown(toNewest("40 new messages"));
  await counted(unreadLink(), 1);
  expect(news.server.requests("POST /channels/:id/ack")).toHaveLength(0);
  await toNewest("40 new messages").click();
  await shown(messageWith("Unread 40."));
  await gone(unreadLink());
  // A message on its way to the page is not read: the mark names the newest message that the user saw.
  const marks = () => news.server.requests("POST /channels/:id/ack").map(({ body }) => body);
  await expect.poll(marks).toEqual([{ message_id: id }]);
});

test("a channel whose unread messages fit is read when it is opened, and follows what is sent", async () => {
  const news = await openBeside();
  for (const text of ["Unread 1.", "Unread 2."]) news.say(text);
  await unreadLink().click();
  await gone(unreadLink());
  // More than fit: the line of the new messages does not stay in sight.
  for (let n = 1; n <= 60; n += 1) news.say(`Later ${n}.`);
  await shown(messageWith("Later 60."));
  await seen("Later 60.");
});

test("a burst of long messages leaves the end in sight, also on a slow device and when their previews come late", async () => {
  const news = await openBeside();
  await link().click();
  await seen("Read 30.");
  await slowDown();
  burst(news, "Letter");
  news.say("Signed. https://letters.example/signed");
  await seen("Signed.");
  news.releaseCards();
  await shown(cardIn("Signed."));
  await seen("Signed.");
  burst(news, "Answer");
  news.say("Sealed.");
  await seen("Sealed.");
  await news.settled();
  await seen("Sealed.");
  await gone(toNewest("Jump to the newest messages"));
});

test("a reader who has scrolled up is not moved by a burst of long messages", async () => {
  const news = await openBeside();
  await link().click();
  await seen("Read 30.");
  await userEvent.wheel(messageWith("Read 30."), { delta: { y: -300 } });
  await shown(toNewest("Jump to the newest messages"));
  await seen("Read 20.");
  await slowDown();
  const before = await topAtRest("Read 20.");
  burst(news, "Letter");
  await shown(toNewest("12 new messages"));
  expect(Math.abs((await topAtRest("Read 20.")) - before)).toBeLessThan(1);
});

test("a channel that was opened at its first unread message stays there while what is around it grows", async () => {
  const known = [1, 2, 3, 4, 5].map((n) => `Known ${n}. https://letters.example/known/${n}`);
  const news = await openBeside(known);
  news.say("Unread. https://letters.example/unread");
  burst(news, "Letter");
  await unreadLink().click();
  await seen("Unread.");
  await slowDown();
  const before = await topAtRest("Unread.");
  news.releaseCards();
  for (const text of ["Unread.", "Known 5."]) await shown(cardIn(text));
  burst(news, "Answer");
  await shown(toNewest("25 new messages"));
  await expect.poll(() => Math.abs(topOf("Unread.") - before)).toBeLessThan(1);
  expect(Math.abs((await topAtRest("Unread.")) - before)).toBeLessThan(1);
});

test("messages that are read elsewhere are no longer counted, nor in the title", async () => {
  const news = await openBeside();
  news.say("Unread 1. @everyone");
  await shown(unreadLink().filter({ hasText: "1 mention" }));
  await expect.poll(() => document.title).toMatch(/^\(1\) /);
  const last_read_at = new Date().toISOString();
  news.socket.event("READ_STATE_UPDATE", { channel_id: news.id, last_read_at, unread_count: 0, mention_count: 0 });
  await gone(unreadLink());
  await expect.poll(() => document.title).not.toMatch(/^\(/);
});

test("opening a channel costs one request, whatever people reacted with and attached", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const busy = channel(club.server, "busy");
  club.channels.push(busy);
  const reactions = [{ emoji: "♥️", count: 1, me: false }];
  const moves = Array.from({ length: 45 }, (_, n) => message(busy, ada, `Move ${n + 1}.`, { reactions }));
  const position = message(busy, ada, "The position");
  position.attachments = [picture(position.id, "board.png")];
  club.messages[busy.id] = [...moves, position];
  await holdPictures();
  const { server, socket, settled, arrives } = await visit(world(ben, [club]), { path: channelPath(club.channels[0]) });
  await shown(composer());
  await settled();
  await page.getByRole("link", { name: "busy" }).click();
  await shown(messageWith("The position").getByRole("button", { name: "Open board.png" }));
  const heart = (text: string) => messageWith(text).getByRole("button", { name: "♥️: 1 reaction", exact: true });
  await shown(heart("Move 45."));
  const late = message(busy, ada, "While you look");
  arrives(late);
  const attachments = [picture(late.id, "look.png")];
  socket.event("ATTACHMENT_CREATE", { channel_id: busy.id, message_id: late.id, attachments });
  await shown(messageWith("While you look").getByRole("button", { name: "Open look.png" }));
  // An event counts on top of the counts in the list.
  socket.event("REACTION_ADD", { channel_id: busy.id, message_id: position.id, user_id: ada.id, emoji: "♥️" });
  await shown(heart("The position"));
  await settled();
  const [read, ...more] = server.requests("GET /channels/:id/messages").filter(({ path }) => path.includes(busy.id));
  expect(Object.fromEntries(read?.query ?? [])).toEqual({
    limit: "50",
    include: "reactions,attachments,previews,author",
  });
  expect(more).toEqual([]);
  for (const address of ["GET /channels/:id/messages/:message/reactions", "GET /messages/:id/attachments"])
    expect(server.requests(address), address).toEqual([]);
});
