import { expect, onTestFinished, test } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { command, commandOption, openWithBot } from "../../../page-stage/bot.js";
import { composer } from "../../../page-stage/conversation.js";
import { channel, message } from "../../../page-stage/fixtures.js";
import { pressAt } from "../../../page-stage/keys.js";
import { shown } from "../../../page-stage/seeing.js";

/** Chromium 156 returns a promise here, older browsers nothing. */
function scrollWithPromise(): void {
  const { scrollIntoView } = Element.prototype;
  Element.prototype.scrollIntoView = function (options) {
    scrollIntoView.call(this, options);
    return Promise.resolve();
  };
  onTestFinished(() => {
    Element.prototype.scrollIntoView = scrollIntoView;
  });
}

test("the arrow keys move the mark in every list of completions, and the page stays", async () => {
  scrollWithPromise();
  const { stage, club, general, ada } = await openWithBot([
    command("play", "Begins a game", { options: [commandOption("rival", "user")] }),
    command("board", "Shows the board"),
  ]);
  const openings = channel(club.server, "openings", { position: 1 });
  stage.socket.event("CHANNEL_CREATE", openings);
  await shown(page.getByRole("link", { name: "openings" }));
  // Members that are read late would come before the marked one.
  await stage.settled();
  const list = page.getByRole("listbox", { name: "Suggestions" });
  const marked = () => list.getByCss("[role=option][aria-selected=true]").element().textContent;
  const moves = async (field: Locator, typed: string) => {
    await field.fill("");
    await pressAt(field, typed);
    await shown(page.getByCss("[role=listbox]:not([aria-busy=true]) [role=option]").first());
    await expect.poll(() => list.getByRole("option").elements().length, { message: typed }).toBeGreaterThan(1);
    await shown(list.getByCss("[role=option][aria-selected=true]"));
    const first = marked();
    await userEvent.keyboard("{ArrowDown}");
    await expect.poll(marked).not.toBe(first);
    await userEvent.keyboard("{ArrowUp}");
    await expect.poll(marked).toBe(first);
  };
  for (const typed of ["hi @", "hi :sm", "hi #", "/"]) await moves(composer(), typed);
  await composer().fill("/pl");
  await shown(list.getByRole("option").filter({ hasText: "/play" }));
  await userEvent.keyboard("{Enter}");
  await moves(page.getByRole("form", { name: "/play" }).getByLabelText("rival"), "e");
  stage.arrives(message(general, ada, "Still here"));
  await shown(page.getByText("Still here"));
});

test("nobody is chosen by letters that the offered people were not found for", async () => {
  const { stage, club } = await openWithBot([
    command("play", "Begins a game", { options: [commandOption("rival", "user")] }),
  ]);
  await composer().fill("/pl");
  await shown(page.getByRole("listbox", { name: "Suggestions" }).getByText("/play"));
  await userEvent.keyboard("{Enter}");
  const rival = page.getByRole("form", { name: "/play" }).getByLabelText("rival");
  const offered = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
  await rival.click();
  await shown(offered.filter({ hasText: "ada" }));
  const answer = stage.server.hold("GET /servers/:id/members", ({ query }) => {
    const found = query.get("q") === "be" ? club.members.filter(({ username }) => username === "ben") : [];
    return found;
  });
  await pressAt(rival, "be{Enter}");
  await expect.element(rival).toHaveValue("be");
  await answer.asked;
  answer.release();
  // The offers of before stay in the list, marked as busy, until these are there.
  await shown(page.getByCss("[role=listbox]:not([aria-busy=true]) [role=option]").filter({ hasText: "ben" }));
  await userEvent.keyboard("{Enter}");
  await expect.element(rival).toHaveValue("ben");
});
