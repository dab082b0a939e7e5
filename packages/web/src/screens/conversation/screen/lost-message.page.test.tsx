import { expect, test } from "vitest";
import { composer, messageWith } from "../../../page-stage/conversation.js";
import { refuse } from "../../../page-stage/fake-server.js";
import { channelPath, community, message, newId, user } from "../../../page-stage/fixtures.js";
import { shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

test("a link to a message that is gone leads to its channel", async () => {
  const ada = user("ada");
  const club = community([ada]);
  const [general] = club.channels;
  club.messages[general.id] = [message(general, ada, "Still there")];
  const lost = newId();
  await visit(world(ada, [club]), {
    path: `${channelPath(general)}/${lost}`,
    prepare: (server) => server.on("GET /channels/:id/messages/:message", () => refuse(404, "Message not found")),
  });
  await expect.poll(() => location.pathname).toBe(`/app${channelPath(general)}`);
  await shown(composer());
  await shown(messageWith("Still there"));
});
