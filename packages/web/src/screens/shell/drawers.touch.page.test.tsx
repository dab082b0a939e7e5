import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { composer, messageWith } from "../../page-stage/conversation.js";
import { finger, stillMiddleOf, tap } from "../../page-stage/finger.js";
import { channelPath, community, message, user } from "../../page-stage/fixtures.js";
import { focused } from "../../page-stage/keys.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

/** Ben's telephone in #general of Ada's server, where Ada has written a message with a reaction. */
async function openPhone(text: string) {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const reactions = [{ emoji: "👍", count: 1, me: false }];
  club.messages[general.id] = [message(general, ada, text, { reactions })];
  const stage = await visit(world(ben, [club]), { path: channelPath(general) });
  await shown(composer());
  await stage.settled();
  return { stage, ada, general };
}

test("a mention from the drawer of members is in the message, which is in sight then", async () => {
  const { stage, ada } = await openPhone("I won!");
  await tap(page.getByRole("button", { name: "Members" }));
  const drawer = page.getByRole("dialog", { name: "Members" });
  const member = drawer.getByRole("button", { name: ada.username });
  await shown(member);
  await stage.settled();
  const { x, y } = await stillMiddleOf(member);
  await finger.down(x, y);
  const mention = page.getByRole("button", { name: "Mention", exact: true });
  await shown(mention);
  await finger.up();
  await tap(mention);
  await gone(drawer);
  await expect.element(composer()).toHaveValue(`@${ada.username} `);
  await focused(composer());
});

test("every target for a finger is at least 40 pixels wide and high", async () => {
  const { general } = await openPhone("I won!");
  await shown(messageWith("I won!").getByRole("button", { name: /1 reaction/ }));
  const small = () =>
    [...document.querySelectorAll("header button, article button, main button, nav a")]
      .filter((element) => element.checkVisibility() && !element.matches("header bdi, header button:has(bdi)"))
      .map((element) => ({ name: element.ariaLabel ?? element.textContent, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width < 40 || box.height < 40)
      .map(({ name, box }) => `${name} ${box.width} × ${box.height}`);
  expect(small()).toEqual([]);
  await tap(page.getByRole("button", { name: "Servers and channels" }));
  await shown(page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: general.name }));
  expect(small()).toEqual([]);
});

test("the link of the open channel closes the drawer, as every other does", async () => {
  const { general } = await openPhone("I won!");
  await tap(page.getByRole("button", { name: "Servers and channels" }));
  const open = page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: general.name });
  await shown(open);
  await tap(open);
  await gone(open);
});
