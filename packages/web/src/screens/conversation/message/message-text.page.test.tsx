import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { actInMenu, messageWith } from "../../../page-stage/conversation.js";
import { channelPath, community, heldRole, message, role, user } from "../../../page-stage/fixtures.js";
import { gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

/** A channel with messages of somebody else. */
function scene() {
  const ada = user("ada");
  const bob = user("bob");
  const club = community([ada, bob]);
  const [channel] = club.channels;
  const says = (content: string, changes = {}) => {
    const sent = message(channel, bob, content, changes);
    club.messages[channel.id] = [...(club.messages[channel.id] ?? []), sent];
    return sent;
  };
  return { ada, bob, channel, says, open: () => visit(world(ada, [club]), { path: channelPath(channel) }) };
}

test("a text is shown as a mention if the message counts it, beside any sign, and in no other case", async () => {
  const { ada, bob, says, open } = scene();
  says("counted (@ada), **@bob**'s @bob- `@ada` @nobody", { mention_user_ids: [ada.id, bob.id] });
  says("not counted @ada @everyone");
  says("all: @everyone", { mention_everyone: true });
  says("linked [see @ada](https://example.org/)", { mention_user_ids: [ada.id] });
  const stage = await open();
  const counted = messageWith("counted (");
  await shown(counted.getByRole("button", { name: "@ada" }));
  // Whom the page does not know yet, it reads.
  const mentions = () => counted.getByTitle(/^@/).elements();
  await expect.poll(() => mentions().map(({ textContent }) => textContent)).toEqual(["@ada", "@bob", "@bob"]);
  await expect.element(counted).toHaveTextContent("counted (@ada), @bob's @bob- @ada @nobody");
  await stage.settled();
  await gone(messageWith("not counted").getByTitle(/^@/));
  await shown(messageWith("all:").getByText("@everyone", { exact: true }));
  const link = messageWith("linked").getByRole("link", { name: "see @ada" });
  await shown(link);
  await gone(link.getByRole("button"));
});

test("a role is shown as a mention with all its words, and marks the message for those who hold it", async () => {
  const ada = user("ada");
  const bob = user("bob");
  const club = community([ada, bob]);
  const mods = role(club.server, { name: "Chess Mods", mentionable: true });
  club.roles.push(mods);
  const [own] = club.members.filter(({ user_id }) => user_id === ada.id);
  own?.roles.push(heldRole(mods));
  const [channel] = club.channels;
  club.messages[channel.id] = [
    message(channel, bob, "counted @Chess Mods, hurry", { mention_role_ids: [mods.id] }),
    message(channel, bob, "plain @Chess Mods, no hurry"),
    message(channel, bob, "awake @here", { mention_here: true }),
  ];
  const stage = await visit(world(ada, [club]), { path: channelPath(channel) });
  await shown(messageWith("counted").getByText("@Chess Mods", { exact: true }));
  await stage.settled();
  await expect.element(messageWith("counted")).toHaveAttribute("data-mentioned", "true");
  await expect.element(messageWith("plain")).toHaveAttribute("data-mentioned", "false");
  await gone(messageWith("plain").getByText("@Chess Mods", { exact: true }));
  await shown(messageWith("awake").getByText("@here", { exact: true }));
});

test("the quote, the live region and the question before a deletion hide spoilers, too", async () => {
  const { ada, bob, channel, says, open } = scene();
  const secret = says("the end: ||https://example.org/secret||");
  says("oh no", { reply_to: secret.id });
  const mine = says("mine ||truth||", { author_id: ada.id });
  const { arrives } = await open();
  await shown(messageWith("the end:").getByRole("button", { name: /^Spoiler/ }));
  await shown(messageWith("oh no").getByRole("button", { name: "the end: ▒▒▒▒" }));
  arrives(message(channel, bob, "he ||dies|| now"));
  await expect.element(page.getByRole("status").filter({ hasText: "bob: he ▒▒▒▒ now" })).toBeInTheDocument();
  await actInMenu(mine.content.slice(0, 4), "Delete");
  await shown(page.getByRole("dialog").getByText("mine ▒▒▒▒"));
});

test("a quote is cut in whole characters", async () => {
  const { says, open } = scene();
  const long = says(`${"a".repeat(197)}👩‍👩‍👧${"b".repeat(9)}`);
  says("the answer", { reply_to: long.id });
  await open();
  await shown(messageWith("the answer").getByRole("button", { name: `${"a".repeat(197)}…` }));
});
