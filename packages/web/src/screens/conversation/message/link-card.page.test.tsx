import type { LinkPreview } from "@parley/client";
import { expect, test } from "vitest";
import { actInMenu, messageWith } from "../../../page-stage/conversation.js";
import { channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

test("a link card comes with its message, without a request of the reader, and its author removes it for everybody", async () => {
  const ben = user("ben");
  const club = community([user("ada"), ben]);
  const [general] = club.channels;
  const url = "https://chess.example/gambit";
  const text = { title: "Queen's gambit", description: null, site_name: null };
  const card: LinkPreview = { url, ...text, image: "https://chess.example/board.png" };
  const read = message(general, ben, `Read this: ${url}`);
  club.messages[general.id] = [read];
  performance.clearResourceTimings();
  const stage = await visit(world(ben, [club]), { path: channelPath(general) });
  const about = { channel_id: general.id, message_id: read.id };
  const shownCard = messageWith("Read this").getByRole("link", { name: "Queen's gambit" });
  await shown(messageWith("Read this"));
  await stage.settled();
  read.previews = [card];
  stage.socket.event("MESSAGE_PREVIEWS", { ...about, previews: [card] });
  await shown(shownCard);
  await stage.reload();
  await shown(shownCard);
  expect(stage.server.requests("GET /link-preview")).toEqual([]);
  // A picture from the linked page would reveal the reader to its server.
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  expect(loaded.filter((name) => name.startsWith("https://chess.example"))).toEqual([]);
  const address = "DELETE /messages/:id/previews";
  stage.server.on(address, () => stage.socket.event("MESSAGE_PREVIEWS", { ...about, previews: [] }));
  await actInMenu("Read this", "Remove link previews");
  await gone(shownCard);
  expect(stage.server.requests(address).map(({ path }) => path)).toEqual([`/messages/${read.id}/previews`]);
});
