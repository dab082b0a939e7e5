import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { composer, messageWith } from "../../../page-stage/conversation.js";
import { finger, stillMiddleOf, tap } from "../../../page-stage/finger.js";
import { channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { counted, gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

/** Ben's telephone in #general, where Ada has written these messages. */
async function openPhone(texts: readonly string[]) {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  club.messages[general.id] = texts.map((text) => message(general, ada, text));
  const stage = await visit(world(ben, [club]), {
    path: channelPath(general),
    prepare: () => {
      for (const one of club.messages[general.id] ?? []) {
        if (one.content === "I won!") one.reactions = [{ emoji: "👍", count: 1, me: false }];
      }
    },
  });
  await shown(composer());
  await stage.settled();
  return { stage, ada };
}

test("a finger that rests on a message opens its actions, one message at a time", async () => {
  const { stage, ada } = await openPhone(["Touch, move", "Or not"]);
  for (const text of ["Touch, move", "Or not"]) await tap(messageWith(text));
  await stage.settled();
  await counted(page.getByRole("toolbar"), 0);
  const sheet = page.getByRole("dialog", { name: "Message actions" });
  const { right, bottom } = messageWith("Touch, move").getByText("Touch, move").element().getBoundingClientRect();
  // At the end of its line: near a button, such as the author's name, the browser takes a touch for the button's.
  await finger.down(right - 20, bottom - 4);
  await shown(sheet);
  await finger.up();
  const actions = () =>
    sheet
      .getByRole("button")
      .elements()
      .map(({ textContent }) => textContent);
  await expect
    .poll(actions)
    .toEqual([
      ...["👍", "❤️", "😂", "🎉", "😮", "🙏"],
      ...["Add a reaction", "Reply", "Reply in a thread", "Copy link", "Copy text", "Quote", "Forward"],
      ...["Mark as unread", "Save for later"],
      ...["In 20 minutes", "In 1 hour", "Tomorrow at 09:00", "At another time …"],
      "Report",
    ]);
  await tap(sheet.getByRole("button", { name: "Reply", exact: true }));
  await gone(sheet);
  await shown(page.getByText(`Replying to ${ada.username}`));
  await counted(page.getByRole("toolbar"), 0);
});

test("a finger that rests on a reaction lists who reacted, and does not react", async () => {
  const { stage, ada } = await openPhone(["I won!"]);
  stage.server.on("GET /channels/:id/messages/:message/reactions/:emoji", () => [
    { id: ada.id, username: ada.username, avatar_url: null },
  ]);
  const reaction = messageWith("I won!").getByRole("button", { name: /: 1 reaction$/ });
  const { x, y } = await stillMiddleOf(reaction);
  await finger.down(x, y);
  const people = page.getByRole("dialog", { name: "Reactions" }).getByRole("listitem");
  await shown(people.filter({ hasText: ada.username }));
  await finger.up();
  await expect.poll(() => people.elements().map(({ textContent }) => textContent)).toEqual([ada.username]);
  await stage.settled();
  expect(stage.server.requests("PUT /channels/:id/messages/:message/reactions/:emoji")).toEqual([]);
});
