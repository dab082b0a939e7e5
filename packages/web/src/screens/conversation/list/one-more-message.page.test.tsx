import { expect, onTestFinished, test } from "vitest";
import { composer, messageWith } from "../../../page-stage/conversation.js";
import { channel, channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

test("a message that comes is drawn in view at once, and changes the list and nothing around the field of the next one", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const harbour = channel(club.server, "harbour");
  club.channels.push(harbour);
  club.messages[harbour.id] = Array.from({ length: 60 }, (_, index) => message(harbour, ada, `Ship ${index + 1}.`));
  const stage = await visit(world(ben, [club]), { path: channelPath(harbour) });
  await shown(composer());
  await shown(messageWith("Ship 60."));
  await stage.settled();
  stage.arrives(message(harbour, ada, "The first ferry."));
  await shown(messageWith("The first ferry."));
  await stage.settled();

  const changed = new Set<Element>();
  const observer = new MutationObserver((changes) => {
    for (const { target } of changes) if (target instanceof Element) changed.add(target);
  });
  observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  onTestFinished(() => observer.disconnect());
  stage.arrives(message(harbour, ada, "The second ferry."));
  await shown(messageWith("The second ferry."));
  await stage.settled();

  const list = document.querySelector('[data-region="messages"]') ?? expect.fail("There is no list.");
  const row = messageWith("The second ferry.").element().getBoundingClientRect();
  expect(row.bottom).toBeLessThanOrEqual(list.getBoundingClientRect().bottom);
  const line = composer().element().parentElement ?? expect.fail("The field stands alone.");
  expect([...changed].some((element) => list.contains(element))).toBe(true);
  expect([...changed].filter((element) => line.contains(element)).map(({ outerHTML }) => outerHTML)).toEqual([]);
});
