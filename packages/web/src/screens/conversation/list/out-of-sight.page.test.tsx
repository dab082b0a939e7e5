import { test } from "vitest";
import { page } from "vitest/browser";
import { act, composer, messageWith } from "../../../page-stage/conversation.js";
import { channel, channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

// The page reads data that it does not have, or no longer, when it shows them.

test("a thread keeps its first message when the history moves on to others", async () => {
  const ada = user("ada");
  const club = community([ada]);
  const [general] = club.channels;
  const root = message(general, ada, "Root", { thread_reply_count: 1 });
  const later = Array.from({ length: 120 }, (_, n) => message(general, ada, `Later ${n + 1}`));
  club.messages[general.id] = [root, ...later];
  const stage = await visit(world(ada, [club]), { path: `${channelPath(general)}/${root.id}` });
  const reply = message(general, ada, "Reply", { thread_id: root.id });
  stage.server.on("GET /channels/:id/messages/:message/thread", () => [reply]);
  await act("Root", "Reply in a thread");
  const panel = page.getByRole("complementary", { name: "Thread" });
  for (const text of ["Root", "Reply"]) await shown(panel.getByText(text, { exact: true }));
  await page.getByRole("button", { name: "Jump to the newest messages" }).click();
  await shown(messageWith("Later 120"));
  await stage.settled();
  for (const text of ["Root", "Reply"]) await shown(panel.getByText(text, { exact: true }));
});

test("a link leads to a channel that was created after the page was opened", async () => {
  const ada = user("ada");
  const club = community([ada]);
  const [general] = club.channels;
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  await shown(composer());
  await stage.settled();
  const fresh = channel(club.server, "fresh");
  club.channels = [general, fresh];
  stage.socket.event("CHANNEL_CREATE", fresh);
  stage.arrives(message(general, ada, `[Come along](/app${channelPath(fresh)})`));
  await page.getByRole("link", { name: "Come along" }).click();
  await shown(page.getByRole("heading", { name: "fresh", level: 1 }));
  await shown(composer());
});
