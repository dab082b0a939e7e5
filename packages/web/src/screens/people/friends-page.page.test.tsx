import type { DispatchEvents, PublicProfile, User } from "@parley/client";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { composer, messageWith } from "../../page-stage/conversation.js";
import { findingsInBothSchemes } from "../../page-stage/findings.js";
import { type Community, channelPath, community, message, profile, user } from "../../page-stage/fixtures.js";
import { pressAt } from "../../page-stage/keys.js";
import { counted, gone, shown } from "../../page-stage/seeing.js";
import { type Stage, visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

// Friends and blocks: asked for in profiles, kept in lists, and followed on every page.

interface Relations {
  readonly stage: Stage;
  readonly ada: User;
  readonly ben: User;
  readonly club: Community;
  readonly friends: Record<"friends" | "incoming" | "outgoing", PublicProfile[]>;
}

/** A server of Ada and Ben, open on the page of one of them, who knows these people. */
async function openRelations(
  whose: "ada" | "ben",
  prepare: (known: Omit<Relations, "stage">) => void = () => undefined,
): Promise<Relations> {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const known = { ada, ben, club, friends: { friends: [], incoming: [], outgoing: [] } };
  prepare(known);
  const stage = await visit(world({ ada, ben }[whose], [club]), {
    path: channelPath(club.channels[0]),
    prepare: (server) => server.on("GET /users/@me/friends", () => known.friends),
  });
  await shown(composer());
  await stage.settled();
  return { stage, ...known };
}

const button = (name: string) => page.getByRole("button", { name, exact: true });
const part = (title: string) =>
  page.getByCss("section").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
const folded = () => messageWith("Message from somebody you blocked.");
const blocked = (about: User, isBlocked: boolean): DispatchEvents["BLOCK_UPDATE"] => ({
  user: profile(about),
  blocked: isBlocked,
});

/** Opens the profile of a member and presses one of its buttons. */
async function pressInProfile(name: string, label: string): Promise<void> {
  await page.getByRole("complementary", { name: "Members" }).getByRole("button", { name }).click();
  const card = page.getByRole("dialog", { name: "Profile" });
  await card.getByRole("button", { name: label, exact: true }).click();
  await userEvent.keyboard("{Escape}");
  await gone(card);
}

test("somebody is asked for friendship in their profile", async () => {
  const { stage, ben } = await openRelations("ada");
  stage.server.on("PUT /users/@me/friends/:user", () =>
    stage.socket.event("FRIEND_UPDATE", { user: profile(ben), state: "outgoing" }),
  );
  await pressInProfile("ben", "Add as a friend");
  await shown(page.getByText("You’ve asked ben for friendship."));
  expect(stage.server.requests("PUT /users/@me/friends/:user").map(({ path }) => path)).toEqual([
    `/users/@me/friends/${ben.id}`,
  ]);
  stage.socket.event("FRIEND_UPDATE", { user: profile(ben), state: "friends" });
  await page.getByRole("link", { name: "Direct messages" }).click();
  await page.getByRole("link", { name: "Friends" }).click();
  await shown(part("Your friends").getByText("ben"));
});

test("a user sees a request for friendship beside their conversations, and has a friend once they accept", async () => {
  const { stage, ada } = await openRelations("ben");
  stage.server.on("PUT /users/@me/friends/:user", () =>
    stage.socket.event("FRIEND_UPDATE", { user: profile(ada), state: "friends" }),
  );
  await page.getByRole("link", { name: "Direct messages" }).click();
  await shown(page.getByRole("link", { name: "Friends", exact: true }));
  await stage.settled();
  stage.socket.event("FRIEND_UPDATE", { user: profile(ada), state: "incoming" });
  await page.getByRole("link", { name: "Friends 1 request" }).click();
  await shown(button("Accept the request of ada"));
  expect(await findingsInBothSchemes()).toEqual([]);
  await pressAt(button("Accept the request of ada"), "{Enter}");
  await shown(part("Your friends").getByText("ada"));
  await shown(page.getByRole("link", { name: "Friends", exact: true }));
  expect(stage.server.requests("PUT /users/@me/friends/:user").map(({ path }) => path)).toEqual([
    `/users/@me/friends/${ada.id}`,
  ]);
  history.go(-2);
  await shown(composer());
});

test("somebody is asked for friendship by their name, and those who are friends are not offered", async () => {
  const cleo = user("cleo");
  const { stage, ben } = await openRelations("ada", (known) => {
    known.club.members.push(...community([known.ada, cleo]).members.slice(1));
    known.friends.friends.push(profile(cleo));
  });
  stage.server.on("PUT /users/@me/friends/:user", () =>
    stage.socket.event("FRIEND_UPDATE", { user: profile(ben), state: "outgoing" }),
  );
  await page.getByRole("link", { name: "Direct messages" }).click();
  await page.getByRole("link", { name: "Friends" }).click();
  await page.getByRole("combobox", { name: "Add a friend by name" }).click();
  const offered = page.getByRole("listbox").getByRole("option");
  await shown(offered.filter({ hasText: "ben" }));
  expect(offered.elements().map(({ textContent }) => textContent)).toEqual(["ben"]);
  await offered.click();
  await shown(part("Your requests").getByText("ben"));
  await shown(page.getByText("You’ve asked ben for friendship."));
});

test("messages of somebody blocked are folded into a line that can be opened, until the block ends", async () => {
  const { stage, ben, club } = await openRelations("ada", (known) => {
    known.friends.friends.push(profile(known.ben));
  });
  const [general] = club.channels;
  stage.server.on("PUT /users/@me/blocks/:user", () => {
    stage.socket.event("FRIEND_UPDATE", { user: profile(ben), state: "none" });
    stage.socket.event("BLOCK_UPDATE", blocked(ben, true));
  });
  stage.server.on("DELETE /users/@me/blocks/:user", () => stage.socket.event("BLOCK_UPDATE", blocked(ben, false)));
  stage.arrives(message(general, ben, "What a nice day."));
  await shown(messageWith("What a nice day."));
  await pressInProfile("ben", "Block");
  await shown(folded());
  await gone(messageWith("What a nice day."));
  stage.arrives(message(general, ben, "@ada Look here"));
  await counted(folded(), 2);
  await stage.settled();
  await gone(page.getByText("Look here"));
  await pressAt(folded().last().getByRole("button", { name: "Show" }), "{Enter}");
  await shown(messageWith("Look here"));

  await page.getByRole("link", { name: "Direct messages" }).click();
  await page.getByRole("link", { name: "Friends" }).click();
  // A list without people has no heading either.
  await shown(part("Blocked"));
  await stage.settled();
  await gone(part("Your friends"));
  await button("Unblock ben").click();
  await shown(page.getByText("You have no friends here yet."));
  await gone(part("Blocked"));
  const paths = [`/users/@me/blocks/${ben.id}`];
  expect(stage.server.requests("PUT /users/@me/blocks/:user").map(({ path }) => path)).toEqual(paths);
  expect(stage.server.requests("DELETE /users/@me/blocks/:user").map(({ path }) => path)).toEqual(paths);
});

test("a block on another device folds messages here, too, and its end shows them", async () => {
  const { stage, ben, club } = await openRelations("ada");
  const [general] = club.channels;
  stage.arrives(message(general, ben, "What a nice day."));
  await shown(messageWith("What a nice day."));
  stage.socket.event("BLOCK_UPDATE", blocked(ben, true));
  await shown(folded());
  await gone(messageWith("What a nice day."));
  stage.socket.event("BLOCK_UPDATE", blocked(ben, false));
  await shown(messageWith("What a nice day."));
  stage.arrives(message(general, ben, "Back again."));
  await shown(messageWith("Back again."));
});
