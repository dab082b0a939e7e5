import type { DetailedMessage, Thread, User } from "@parley/client";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { storedPart } from "../../../page-stage/bot.js";
import { composer, messageWith } from "../../../page-stage/conversation.js";
import type { FakeServer } from "../../../page-stage/fake-server.js";
import {
  type Community,
  channel,
  channelPath,
  community,
  created,
  message,
  notifications,
  user,
} from "../../../page-stage/fixtures.js";
import { counted, gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

/** A thread with one reply, of its author. */
function threadOf(root: DetailedMessage, changes: Partial<Thread> = {}): Thread {
  const { id = "", username = "" } = root.author ?? {};
  const author = { id, username, avatar_url: null };
  return {
    ...{ id: root.id, channel_id: root.channel_id, title: null, reply_count: 1, last_reply_at: root.created_at },
    ...{ root, closed: false, followed: true, unread_count: 0, mention_count: 0 },
    participants: [author],
    created_by: author,
    ...changes,
  };
}

/** Ada, in a server of Ben: #general with a message of one of them that has a reply, and #openings. */
function clubWithThread(whose: "ada" | "ben" = "ada") {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ben, ada]);
  const [general] = club.channels;
  club.channels.push(channel(club.server, "openings", { position: 1 }));
  const root = message(general, { ada, ben }[whose], "Which opening?", { thread_reply_count: 1 });
  club.messages[general.id] = [root];
  return {
    there: asMember(ada, club, root),
    club,
    general,
    root,
    reply: message(general, ben, "The Dutch", { thread_id: root.id }),
  };
}

function answerThreads(
  server: FakeServer,
  threads: () => readonly Thread[],
  replies: readonly DetailedMessage[],
): void {
  server.on("GET /servers/:id/threads", ({ query }) => {
    const [state, followed, channelId] = [query.get("state"), query.get("followed"), query.get("channel_id")];
    return {
      threads: threads().filter(
        (one) =>
          (state === null || (state === "closed") === one.closed) &&
          (followed !== "true" || one.followed) &&
          (channelId === null || one.channel_id === channelId),
      ),
    };
  });
  server.on("GET /channels/:id/messages/:message/thread", () => replies);
  server.on("POST /threads/:id/ack", () => undefined);
}
const panel = (name = "Threads") => page.getByRole("complementary", { name, exact: true });
const rows = () => panel().getByRole("list", { name: "Threads" }).getByRole("listitem");
const channelLink = (name: RegExp) => page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name });
const asMember = (ada: User, club: Community, root: DetailedMessage) =>
  world(ada, [club], { notifications: notifications({ threads: { [root.id]: { level: "all" } } }) });

test("an unread reply in a followed thread shows in lists, at its message and in the list of threads, until it is read", async () => {
  const { there, club, general, root, reply } = clubWithThread();
  const unread = { thread_id: root.id, channel_id: general.id, unread_count: 1, mention_count: 1 };
  there.ready = { thread_unreads: [unread] };
  const stage = await visit(there, {
    path: channelPath(club.channels[1] ?? general),
    prepare: (server) => answerThreads(server, () => [threadOf(root)], [reply]),
  });
  await shown(
    channelLink(/^general/)
      .filter({ hasText: "unread messages" })
      .filter({ hasText: "1 mention" }),
  );
  await expect.poll(() => document.title).toMatch(/^\(1\) /);
  await page.getByRole("button", { name: "Threads, 1 unread one" }).click();
  await shown(page.getByText("No threads yet. Reply in a thread to start one."));
  await page.getByRole("checkbox", { name: "In the whole server" }).click();
  await shown(rows().getByRole("img", { name: "Unread" }));
  await rows().getByRole("link", { name: "Which opening?" }).click();
  // In its own channel.
  await shown(panel("Thread").getByRole("article").filter({ hasText: "The Dutch" }));
  await expect
    .poll(() => stage.server.requests("POST /threads/:id/ack").map(({ body }) => body))
    .toEqual([{ message_id: reply.id }]);
  await shown(channelLink(/^general/).filter({ hasNotText: "unread messages" }));
  await expect.poll(() => document.title).not.toMatch(/^\(/);
});

test("replies are counted as they come, and no longer once they are read on another device", async () => {
  const { there, general, root, reply } = clubWithThread();
  const stage = await visit(there, {
    path: channelPath(general),
    prepare: (server) => answerThreads(server, () => [threadOf(root)], [reply]),
  });
  await shown(composer());
  await stage.settled();
  stage.socket.event("THREAD_MESSAGE_CREATE", created(reply, general));
  const link = messageWith("Which opening?").getByRole("button", { name: /2 replies/ });
  await shown(link.filter({ hasText: "unread messages" }));
  const mark = { channel_id: general.id, thread_id: root.id, last_read_at: "2027-01-01T00:00:00.000Z" };
  stage.socket.event("READ_STATE_UPDATE", { ...mark, unread_count: 0, mention_count: 0 });
  await shown(link.filter({ hasNotText: "unread messages" }));
});

test("the author of a thread gives it a title and closes it, and others read both", async () => {
  const { there, general, root, reply } = clubWithThread();
  let thread = threadOf(root);
  const stage = await visit(there, {
    path: channelPath(general),
    prepare(server) {
      answerThreads(server, () => [thread], [reply]);
      server.on<Partial<Thread>>("PATCH /threads/:id", ({ body }) => {
        thread = { ...thread, ...body };
        return thread;
      });
    },
  });
  await messageWith("Which opening?").getByRole("button", { name: "1 reply" }).click();
  await panel("Thread").getByRole("button", { name: "Thread actions" }).click();
  await page.getByRole("menuitem", { name: "Change the title" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Title" }).fill("Openings");
  await userEvent.keyboard("{Enter}");
  await shown(panel("Openings"));
  await panel("Openings").getByRole("button", { name: "Thread actions" }).click();
  await page.getByRole("menuitem", { name: "Close the thread" }).click();
  await shown(panel("Openings").getByText("This thread is closed. You can read it, but not reply."));
  await stage.settled();
  await counted(panel("Openings").getByRole("textbox"), 0);
  expect(stage.server.requests("PATCH /threads/:id").map(({ body }) => body)).toEqual([
    { title: "Openings" },
    { closed: true },
  ]);
  // Somebody opens it again.
  const { followed: _f, unread_count: _u, mention_count: _m, ...change } = { ...thread, title: null, closed: false };
  stage.socket.event("THREAD_UPDATE", { ...change, root: storedPart(root) });
  await shown(panel("Thread").getByRole("textbox", { name: "Reply in the thread" }));
});

test("a thread that was closed before says so to a member, who has no actions on it", async () => {
  const { there, general, root, reply } = clubWithThread("ben");
  const stage = await visit(there, {
    path: channelPath(general),
    prepare: (server) => answerThreads(server, () => [threadOf(root, { closed: true, title: "Done" })], [reply]),
  });
  await messageWith("Which opening?").getByRole("button", { name: "1 reply" }).click();
  await shown(panel("Done").getByText("This thread is closed. You can read it, but not reply."));
  await stage.settled();
  await counted(panel("Done").getByRole("button", { name: "Thread actions" }), 0);
});

test.each([
  ["de", "Weitere Aktionen für general", "Threads", "Geschlossen", "Keine geschlossenen Threads."],
  ["ar", "خيارات أخرى لـ general", "سلاسل الردود", "مغلقة", "لا سلاسل مغلقة."],
])(
  "the list of threads speaks the user's language on a narrow screen: %s",
  async (locale, more, title, closed, none) => {
    const { there, general, root, reply } = clubWithThread();
    await visit(there, {
      ...{ path: channelPath(general), locale, viewport: { width: 360, height: 740 } },
      prepare: (server) => answerThreads(server, () => [threadOf(root)], [reply]),
    });
    await page.getByRole("button", { name: more }).click();
    await page.getByRole("menuitem", { name: title, exact: true }).click();
    await shown(rowsIn(title));
    await page.getByRole("button", { name: closed }).click();
    await shown(page.getByText(none));
    await gone(rowsIn(title));
  },
);
const rowsIn = (title: string) => page.getByRole("list", { name: title }).getByRole("listitem");
