import type { DetailedMessage } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { composer, messageWith } from "../../../page-stage/conversation.js";
import { channel, channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { readyOf, world } from "../../../page-stage/world.js";

test("in a large server the lists count what is not sent without a request, and a channel that is opened has all of it", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const news = channel(club.server, "news");
  club.channels = [general, news];
  const passive = [club.server.id];
  const there = world(ben, [club], { ready: { passive } });
  const stage = await visit(there, {
    path: channelPath(general),
    onConnection(connection) {
      connection.passive.push(...passive);
      connection.event("READY", readyOf(there));
    },
  });
  const { server, socket, arrives } = stage;
  await shown(composer());
  await stage.settled();
  /** A message of a channel that is not in view: only its numbers come. */
  const summedUp = (sent: DetailedMessage, counts: { unread_count: number; mention_count: number }) => {
    club.messages[sent.channel_id] = [...(club.messages[sent.channel_id] ?? []), sent];
    const of = { channel_id: sent.channel_id, last_message_id: sent.id, ...counts };
    socket.event("CHANNEL_ACTIVITY", { server_id: club.server.id, channels: [of] });
  };
  const link = (text: RegExp) => page.getByRole("link", { name: "news" }).filter({ hasText: text });
  arrives(message(general, ada, "In sight"));
  await shown(messageWith("In sight"));
  // What no screen waits for is read a moment after READY.
  await expect.poll(() => server.requests("GET /users/@me/inbox")).not.toEqual([]);
  await stage.settled();

  const before = server.count;
  const asked = () =>
    [...server.requests("GET /channels/:id/messages"), ...server.requests("GET /channels/:id")].length;
  const readsBefore = asked();
  summedUp(message(news, ada, "First news"), { unread_count: 1, mention_count: 0 });
  await shown(link(/unread/));
  // Whom a message names gets it at once.
  arrives(message(news, ada, `@${ben.username} second news`, { mention_user_ids: [ben.id] }));
  await shown(link(/unread.*1 mention|1 mention.*unread/));
  summedUp(message(news, ada, "Third news"), { unread_count: 3, mention_count: 1 });
  await expect.poll(() => document.title).toContain("1");
  await stage.settled();
  expect([server.count, asked()]).toEqual([before, readsBefore]);

  await link(/news/).first().click();
  for (const text of ["First news", /second news/, "Third news"]) await shown(messageWith(text));
  await stage.settled();
  arrives(message(news, ada, "Fourth news"));
  await shown(messageWith("Fourth news"));
  // Messages from while the page showed another channel are there when it comes back.
  summedUp(message(general, ada, "Out of sight"), { unread_count: 1, mention_count: 0 });
  await page.getByRole("link", { name: general.name }).first().click();
  await shown(messageWith("Out of sight"));
});
