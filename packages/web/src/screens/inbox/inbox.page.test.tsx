import type { InboxItem } from "@parley/client";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { composer, messageWith } from "../../page-stage/conversation.js";
import { channelPath, community, madeAt, message, user } from "../../page-stage/fixtures.js";
import { answerInbox, inboxItem, unreadOf } from "../../page-stage/inbox.js";
import { counted, gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

/** Ada's inbox: Ben has mentioned her, answered her, and reacted to what she wrote. */
function inboxOfAda() {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const sent = ["@ada, your move", "The Dutch", "Check"].map((text) => message(general, ben, text));
  club.messages[general.id] = sent;
  const [mention, reply, own] = sent.map((one) => inboxItem(ben, one, club.server.id));
  const items = [
    { ...own, kind: "reaction" },
    { ...reply, kind: "reply" },
    { ...mention, kind: "mention" },
  ] as InboxItem[];
  return { ada, ben, club, general, items };
}
const rows = () => page.getByRole("list", { name: "Inbox" }).getByRole("listitem");
const inboxLink = () => page.getByRole("navigation", { name: "Servers" }).getByRole("link", { name: "Inbox" });
const badge = (text: string) =>
  page.getByRole("navigation", { name: "Servers" }).getByRole("listitem").filter({ hasText: text });

test("the inbox lists what concerns the user, by kind, and leads to the message", async () => {
  const { ada, club, general, items } = inboxOfAda();
  await visit(world(ada, [club]), {
    path: channelPath(general),
    prepare: (server) => answerInbox(server, () => items),
  });
  await shown(badge("2 unread items"));
  inboxLink().element().focus();
  await userEvent.keyboard("{Enter}");
  await counted(rows(), 3);
  await shown(rows().first().getByRole("link", { name: "ben reacted to your message" }));
  await shown(rows().first().getByText("#general · Chess club"));
  await page.getByRole("button", { name: "Mentions" }).click();
  await counted(rows(), 1);
  await shown(rows().getByText("@ada, your move"));
  await rows().getByRole("link", { name: "ben mentioned you" }).click();
  await shown(messageWith("@ada, your move"));
  expect(location.pathname).toContain(`/channels/${general.id}/`);
});

test("what comes and is read elsewhere changes the inbox and its number", async () => {
  const { ada, ben, club, general, items } = inboxOfAda();
  let now = items;
  const stage = await visit(world(ada, [club]), {
    path: "/inbox",
    prepare: (server) => answerInbox(server, () => now),
  });
  await counted(rows(), 3);
  // The number is read once by itself, a moment after READY.
  const numbers = () => stage.server.requests("GET /users/@me/inbox").filter(({ query }) => query.get("limit") === "1");
  await expect.poll(() => numbers().length).toBe(1);
  now = [inboxItem(ben, message(general, ben, "@ada again"), club.server.id), ...items];
  stage.socket.event("INBOX_UPDATE", { unread: unreadOf(now) });
  await shown(badge("3 unread items"));
  await shown(rows().getByText("@ada again"));
  await counted(rows().getByRole("img", { name: "Unread" }), 4);
  // Read in its channel on another device, which has no INBOX_UPDATE.
  now = now.map((item) => ({ ...item, read: true }));
  const mark = { channel_id: general.id, last_read_at: madeAt, unread_count: 0, mention_count: 0 };
  stage.socket.event("READ_STATE_UPDATE", mark);
  await gone(badge("3 unread items"));
  await counted(rows().getByRole("img", { name: "Unread" }), 0);
});

test("all items are marked as read together", async () => {
  const { ada, club, items } = inboxOfAda();
  let now = items;
  const stage = await visit(world(ada, [club]), {
    path: "/inbox",
    prepare(server) {
      answerInbox(server, () => now);
      server.on("POST /users/@me/inbox/ack", () => {
        now = now.map((item) => ({ ...item, read: true }));
        stage.socket.event("INBOX_UPDATE", { unread: unreadOf(now) });
      });
    },
  });
  await counted(rows().getByRole("img", { name: "Unread" }), 3);
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await counted(rows().getByRole("img", { name: "Unread" }), 0);
  await gone(page.getByRole("button", { name: "Mark all as read" }));
});

test("older items follow, and stay when an item comes", async () => {
  const { ada, ben, club, general } = inboxOfAda();
  const many = Array.from({ length: 30 }, (_, n) => inboxItem(ben, message(general, ben, `Move ${n}`), club.server.id));
  let now = many.toReversed();
  const stage = await visit(world(ada, [club]), {
    path: "/inbox",
    prepare: (server) => answerInbox(server, () => now),
  });
  await counted(rows(), 25);
  await page.getByRole("button", { name: "Older items" }).click();
  await counted(rows(), 30);
  now = [inboxItem(ben, message(general, ben, "Mate"), club.server.id), ...now];
  stage.socket.event("INBOX_UPDATE", { unread: unreadOf(now) });
  await shown(rows().getByText("Mate", { exact: true }));
  await counted(rows(), 30);
});

test.each([
  ["de", "Posteingang", "ben hat dich erwähnt"],
  ["ar", "صندوق الوارد", "أشار إليك ben"],
])("the inbox speaks the user's language on a narrow screen: %s", async (locale, title, head) => {
  const { ada, club, items } = inboxOfAda();
  await visit(world(ada, [club]), {
    ...{ path: "/inbox", locale, viewport: { width: 360, height: 740 } },
    prepare: (server) => answerInbox(server, () => items),
  });
  await shown(page.getByRole("heading", { name: title }));
  const text = () =>
    page
      .getByRole("main")
      .getByRole("link")
      .elements()
      .map(({ textContent }) => textContent?.replaceAll(/[\u2068\u2069]/g, ""));
  await expect.poll(text).toContain(head);
  const main = page.getByRole("main").element();
  expect(main.scrollWidth).toBeLessThanOrEqual(main.clientWidth);
});

test("the quick switcher leads to the inbox", async () => {
  const { ada, club, general, items } = inboxOfAda();
  await visit(world(ada, [club]), {
    path: channelPath(general),
    prepare: (server) => answerInbox(server, () => items),
  });
  await shown(composer());
  await userEvent.keyboard("{Control>}k{/Control}");
  await page.getByRole("dialog").getByRole("combobox").fill("inb");
  await userEvent.keyboard("{Enter}");
  await counted(rows(), 3);
});
