import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { messageWith } from "../../page-stage/conversation.js";
import { channelPath, community, member, message, newId, user } from "../../page-stage/fixtures.js";
import { shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const tracker = "https://tracker.example/picture.png";
const through = `/api/embed-pictures?url=${encodeURIComponent(tracker)}&key=1.feed`;
const sources = () => [...document.querySelectorAll("img")].map((image) => image.getAttribute("src") ?? "");

test("pictures whose address a member, a server or a webhook chose come through this instance alone", async () => {
  const [ada, ben] = [user("ada"), user("ben", { avatar_url: tracker })];
  const club = community([ada, ben], { icon_url: tracker });
  const [general] = club.channels;
  const asBen = { id: ben.id, username: "ben", nickname: null, avatar_url: tracker };
  club.members = club.members.map((one) => (one.user_id === ben.id ? member(ben, { avatar_url: tracker }) : one));
  club.messages[general.id] = [
    message(general, ben, "By a member", { author: asBen }),
    message(general, ben, "By a webhook", { webhook: { id: newId(), name: "Alerts", avatar_url: tracker } }),
  ];
  const asked: (string | null)[] = [];
  const observer = new MutationObserver(() => asked.push(...sources()));
  observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["src"] });
  const { settled, server } = await visit(world(ada, [club]), { path: channelPath(general) });
  await shown(messageWith("By a webhook"));
  await expect.poll(() => asked.filter((source) => source === through).length).toBeGreaterThanOrEqual(4);
  await settled();
  observer.disconnect();
  expect(asked.filter((source) => source?.startsWith("http"))).toEqual([]);
  expect(server.requests("GET /embed-pictures/key")).toHaveLength(1);
  // The initials stand in place of a picture that cannot be loaded.
  await shown(page.getByRole("link", { name: club.server.name }).first());
});
