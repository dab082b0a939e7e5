import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { act, messageWith } from "../../../page-stage/conversation.js";
import { channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

const heart = "❤️";
const reactions = "/channels/:id/messages/:message/reactions";

test("a reaction is picked, counts with those of others, and is taken back", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const won = message(general, ada, "I won!");
  club.messages[general.id] = [won];
  const { server, socket } = await visit(world(ben, [club]), { path: channelPath(general) });
  const of = (user_id: string, emoji: string) => ({ message_id: won.id, channel_id: general.id, user_id, emoji });
  server.on(`PUT ${reactions}/:emoji`, ({ params: { emoji = "" } }) =>
    socket.event("REACTION_ADD", of(ben.id, decodeURIComponent(emoji))),
  );
  server.on(`DELETE ${reactions}/:emoji`, ({ params: { emoji = "" } }) =>
    socket.event("REACTION_REMOVE", of(ben.id, decodeURIComponent(emoji))),
  );
  const button = (name: RegExp) => messageWith("I won!").getByRole("button", { name });
  await act("I won!", "Add a reaction");
  await page.getByRole("searchbox", { name: "Find an emoji" }).fill("heart");
  await page.getByRole("region", { name: "Emoji" }).getByRole("button", { name: "red heart" }).click();
  await shown(button(/: 1 reaction, including yours$/));
  // It is shown before it is sent.
  const picked = () => server.requests(`PUT ${reactions}/:emoji`).map(({ path }) => decodeURIComponent(path));
  await expect.poll(picked).toEqual([expect.stringContaining(heart)]);
  socket.event("REACTION_ADD", of(ada.id, heart));
  await button(/: 2 reactions, including yours$/).click();
  await shown(button(/: 1 reaction$/));
  await expect.poll(() => server.requests(`DELETE ${reactions}/:emoji`)).toHaveLength(1);
});
