import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { actInMenu, messageWith } from "../../../page-stage/conversation.js";
import { channelPath, community, message, type Person, user } from "../../../page-stage/fixtures.js";
import { pressAt } from "../../../page-stage/keys.js";
import { counted, gone, shown } from "../../../page-stage/seeing.js";
import { type Stage, visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

const heart = "♥️";
const party = "🎉";
const reactions = "/channels/:id/messages/:message/reactions";

/** A message of Ada, who owns the server, with 27 hearts, the first one of Ben, and something of Ada's. */
async function openReactions(whose: "ada" | "ben") {
  const [ada, ben] = [user("ada"), user("ben")];
  const fans = Array.from({ length: 26 }, (_, at) => user(`fan${at}`));
  const club = community([ada, ben, ...fans]);
  club.members = club.members.map((one) => (one.user_id === ben.id ? { ...one, nickname: "The rook" } : one));
  const [general] = club.channels;
  const of: Record<string, Person[]> = { [heart]: [ben, ...fans], [party]: [ada] };
  const me = { ada, ben }[whose];
  const countsOf = () =>
    Object.entries(of).flatMap(([emoji, people]) =>
      people.length === 0 ? [] : [{ emoji, count: people.length, me: people.includes(me) }],
    );
  const won = message(general, ada, "I won!", { reactions: countsOf() });
  club.messages[general.id] = [won];
  const stage = await visit(world(me, [club]), { path: channelPath(general) });
  const take = (emoji: string, userId: string) => {
    of[emoji] = (of[emoji] ?? []).filter(({ id }) => id !== userId);
    won.reactions = countsOf();
    const event = { message_id: won.id, channel_id: general.id, user_id: userId, emoji };
    stage.socket.event("REACTION_REMOVE", event);
  };
  stage.server.on(`GET ${reactions}/:emoji`, ({ params: { emoji = "" }, query }) => {
    const people = of[decodeURIComponent(emoji)] ?? [];
    const first = people.findIndex(({ id }) => id === query.get("after")) + 1;
    return people
      .slice(first, first + Number(query.get("limit")))
      .map(({ id, username }) => ({ id, username, avatar_url: null }));
  });
  stage.server.on(`DELETE ${reactions}/:emoji/:user`, ({ params: { emoji = "", user: id = "" } }) =>
    take(decodeURIComponent(emoji), id),
  );
  stage.server.on(`DELETE ${reactions}/:emoji`, ({ params: { emoji = "" } }) => take(decodeURIComponent(emoji), me.id));
  stage.server.on(`DELETE ${reactions}`, () => {
    for (const [emoji, people] of Object.entries(of)) for (const { id } of people) take(emoji, id);
  });
  await shown(messageWith("I won!"));
  return { ...stage, stage, ben, fans };
}

const button = (name: RegExp) => messageWith("I won!").getByRole("button", { name });
const dialog = () => page.getByRole("dialog", { name: "Reactions" });
const people = () => dialog().getByRole("list", { name: "Who reacted" }).getByRole("listitem");
const pathsOf = ({ server }: Stage, address: string) => server.requests(address).map(({ path }) => path);

test("pointing at a reaction shows the users who reacted, and a moderator removes one and all", async () => {
  const { stage, fans } = await openReactions("ada");
  await button(/: 27 reactions$/).hover();
  await expect.element(page.getByRole("tooltip")).toHaveTextContent(/^♥️The rook, fan0, .*, fan8, \+17$/);

  await pressAt(button(/: 27 reactions$/), "{Shift>}{F10}{/Shift}");
  await counted(people(), 25);
  await expect.element(people().first()).toHaveTextContent("The rook@ben");
  await dialog().getByRole("button", { name: "Show more" }).click();
  await counted(people(), 27);
  await dialog().getByRole("button", { name: "Remove the reaction of fan25", exact: true }).click();
  await counted(people(), 26);
  expect(pathsOf(stage, `DELETE ${reactions}/:emoji/:user`)).toEqual([expect.stringContaining(`/${fans[25]?.id}`)]);
  await dialog()
    .getByRole("button", { name: `${party}: 1 reaction, including yours` })
    .click();
  await counted(people(), 1);
  await userEvent.keyboard("{Escape}");
  await gone(dialog());
  await shown(button(/: 26 reactions$/));
  await shown(button(/ reactions?\b/).first());

  await actInMenu("I won!", "Who reacted");
  await dialog().getByRole("button", { name: "Remove all reactions" }).click();
  await page
    .getByRole("dialog", { name: "Remove all reactions?" })
    .getByRole("button", { name: "Remove all reactions" })
    .click();
  await gone(button(/ reactions?\b/));
  expect(pathsOf(stage, `DELETE ${reactions}`)).toHaveLength(1);
});

test("a user who is no moderator takes back their own reaction in the list of users who reacted", async () => {
  const { stage } = await openReactions("ben");
  await shown(button(/: 27 reactions, including yours$/));
  await actInMenu("I won!", "Who reacted");
  await counted(people(), 25);
  await counted(dialog().getByRole("button", { name: /^Remove/ }), 1);
  await dialog().getByRole("button", { name: "Remove the reaction of The rook" }).click();
  await shown(dialog().getByRole("button", { name: /: 26 reactions$/ }));
  await expect.poll(() => pathsOf(stage, `DELETE ${reactions}/:emoji`)).toHaveLength(1);
  await userEvent.keyboard("{Escape}");
  await gone(dialog());
  await shown(button(/: 26 reactions$/));
});
