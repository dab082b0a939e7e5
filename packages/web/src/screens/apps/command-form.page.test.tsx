import { expect, test } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { command, commandOption, openWithBot, storedPart } from "../../page-stage/bot.js";
import { act, composer, messageWith, sentMessage } from "../../page-stage/conversation.js";
import { answer } from "../../page-stage/fake-server.js";
import { findingsInBothSchemes } from "../../page-stage/findings.js";
import { channel, message, newId } from "../../page-stage/fixtures.js";
import { focused, pressAt } from "../../page-stage/keys.js";
import { counted, gone, shown } from "../../page-stage/seeing.js";

const play = command("play", "Begins a game", {
  options: [
    commandOption("minutes", "integer", { required: true, min: 1, max: 90 }),
    commandOption("opening", "string", { autocomplete: true }),
    commandOption("rival", "user"),
    commandOption("table", "channel"),
    commandOption("rated", "boolean"),
    commandOption("colour", "string", {
      choices: [
        { name: "White", value: "w" },
        { name: "Black", value: "b" },
      ],
    }),
  ],
});
const board = command("board", "Shows the board");
const commands = [play, board, command("flag", "Flags", { context: "message" })];
const form = (name: string) => page.getByRole("form", { name });
const suggestions = () => page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
const faultIn = (place: Locator, text: string) => place.getByRole("alert").filter({ hasText: text });

test("a command is found, filled in and sent with the keyboard", async () => {
  const talk = await openWithBot(commands);
  const { stage, club, general, ada, ben, bot } = talk;
  const lounge = channel(club.server, "lounge", { position: 1 });
  club.channels.push(lounge);
  stage.socket.event("CHANNEL_CREATE", lounge);
  await shown(page.getByRole("link", { name: "lounge" }));
  await pressAt(composer(), "/");
  await counted(suggestions(), 2);
  await expect.element(composer()).toHaveAttribute("aria-activedescendant");
  await userEvent.keyboard("pl");
  await counted(suggestions(), 1);
  expect(await findingsInBothSchemes()).toEqual([]);
  await userEvent.keyboard("{Enter}");

  const field = (name: string) => form("/play").getByLabelText(name);
  await focused(field("minutes"));
  expect(await findingsInBothSchemes()).toEqual([]);
  await userEvent.keyboard("{Enter}");
  await shown(faultIn(form("/play"), "This is required."));
  await userEvent.keyboard("91{Enter}");
  await shown(faultIn(form("/play"), "90 or less."));
  await field("minutes").fill("5");

  await userEvent.keyboard("{Tab}sic");
  const asked = { bot_user_id: bot.id, command_id: play.id };
  await expect
    .poll(() => talk.begun.at(-1)?.body)
    .toEqual({ ...asked, options: { minutes: 5, opening: "sic" }, focused: "opening", autocomplete: true });
  talk.update(talk.last(), { choices: [{ name: "Sicilian Defence", value: "B20" }] });
  await shown(form("/play").getByRole("option", { name: "Sicilian Defence" }));
  expect(await findingsInBothSchemes()).toEqual([]);
  await userEvent.keyboard("{Enter}");
  await expect.element(field("opening")).toHaveValue("Sicilian Defence");

  await field("rival").fill("ad");
  await shown(form("/play").getByRole("option", { name: "ada" }));
  await userEvent.keyboard("{Enter}");
  await expect.element(field("rival")).toHaveValue("ada");
  await field("table").selectOptions("#lounge");
  await field("rated").selectOptions("Yes");
  await field("colour").selectOptions("Black");
  const used = await talk.asked(() => pressAt(field("colour"), "{Enter}"));
  const options = { minutes: 5, opening: "B20", rival: ada.id, table: lounge.id, rated: true, colour: "b" };
  expect(used.body).toEqual({ ...asked, options });
  await shown(messageWith("Asking chess …").getByText("/play"));
  const answered = talk.post("Game on.", { interaction: { id: used.id, user_id: ben.id, name: "play" } });
  talk.update(used, { message: storedPart(answered) });
  await shown(messageWith("Game on.").getByText("ben asked for this"));
  await gone(messageWith("Asking chess …"));
  await focused(composer());
  await expect.element(composer()).toHaveValue("");
  stage.arrives(message(general, ben, "After it"));
  await shown(messageWith("After it"));
});

test("a command without fields is used by one more Enter, and Escape leaves it", async () => {
  const talk = await openWithBot(commands);
  const choose = async () => {
    await composer().fill("/boa");
    await shown(page.getByRole("option", { name: "/board – Shows the board" }));
    await userEvent.keyboard("{Enter}");
    await focused(form("/board").getByRole("button", { name: "Send" }));
  };
  await choose();
  await userEvent.keyboard("{Escape}");
  await focused(composer());
  await choose();
  const used = await talk.asked(() => userEvent.keyboard("{Enter}"));
  expect(used.body).toEqual({ bot_user_id: talk.bot.id, command_id: board.id, options: {} });
  talk.update(used, { message: talk.ephemeral("e4 e5") });
  await shown(messageWith("e4 e5"));
  expect(talk.begun).toHaveLength(1);
});

test("the server's error about an option stands at its field", async () => {
  const { stage } = await openWithBot(commands);
  await composer().fill("/pl");
  await page.getByRole("option", { name: /^\/play/ }).click();
  await form("/play").getByLabelText("minutes").fill("5");
  const error = "options.opening: must be sound";
  stage.server.on("POST /channels/:id/interactions", () =>
    answer(400, { error, message: error, code: "options_invalid" }),
  );
  await form("/play").getByRole("button", { name: "Send" }).click();
  await shown(faultIn(form("/play"), "must be sound"));
  await expect.element(form("/play").getByLabelText("opening")).toHaveAttribute("aria-invalid", "true");
});

test("commands are read when they are first asked for, and again when a bot has others", async () => {
  const { stage, club, bot, offered } = await openWithBot(commands);
  const reads = () => stage.server.requests("GET /channels/:id/commands").length;
  await composer().fill("no /command");
  await stage.settled();
  expect(reads()).toBe(0);
  await composer().fill("/");
  await counted(suggestions(), 2);
  await composer().fill("");
  await composer().fill("/b");
  await counted(suggestions(), 1);
  await stage.settled();
  expect(reads()).toBe(1);
  offered.commands = [command("bishop", "Moves")];
  stage.socket.event("COMMANDS_UPDATE", { server_id: club.server.id, bot_user_id: bot.id });
  await shown(suggestions().filter({ hasText: /^\/bishop/ }));
});

test("all commands are offered where one answer has only those of the first bots", async () => {
  const second = { bot_user_id: newId(), name: "Dice", avatar_url: null, commands: [command("bounce", "Rolls")] };
  const { stage, offered } = await openWithBot([command("bishop", "Moves")]);
  stage.server.on("GET /channels/:id/commands", ({ query }) =>
    query.get("position") === "second" ? { bots: [second] } : { bots: [offered], next_position: "second" },
  );
  await composer().fill("/b");
  await counted(suggestions(), 2);
});

/** Uses the only command in the open menu, with the keyboard. */
async function useEntry(name: string): Promise<void> {
  // A pointer that rests on an entry would take the focus back.
  await page.getByCss("nav").first().hover({ force: true });
  await pressAt(page.getByRole("menuitem", { name: "Apps" }), "{ArrowRight}");
  const entry = page.getByRole("menuitem", { name });
  await shown(entry);
  await counted(page.getByRole("menuitem", { name: /^ask-/ }), 1);
  await pressAt(entry, "{Enter}");
}

test("commands about messages and members are in their menus, where there are some", async () => {
  const [ofMessage, ofUser, ofServer] = (["message", "user", "server"] as const).map((context) =>
    command(`ask-${context}`, "Asks", { context }),
  );
  if (ofMessage === undefined || ofUser === undefined || ofServer === undefined) throw new Error("Not three.");
  const talk = await openWithBot([ofMessage, ofUser, ofServer]);
  const { stage, general, ada, ben, bot } = talk;
  const mate = message(general, ada, "Mate in two");
  stage.arrives(mate);
  await sentMessage("Mate in two");
  await act("Mate in two", "More");
  const about = await talk.asked(() => useEntry("ask-message – Chess"));
  const asked = { bot_user_id: bot.id, options: {} };
  expect(about.body).toEqual({ ...asked, command_id: ofMessage.id, target_id: mate.id });
  talk.update(about, { message: talk.ephemeral("Mate in three.") });
  await shown(messageWith("Mate in three."));

  const members = page.getByRole("complementary", { name: "Members" });
  await members.getByRole("button", { name: /ben/ }).click({ button: "right" });
  const asking = await talk.asked(() => useEntry("ask-user – Chess"));
  expect(asking.body).toEqual({ ...asked, command_id: ofUser.id, target_id: ben.id });
  talk.update(asking, { message: talk.ephemeral("Plays well.") });
  await shown(messageWith("Plays well."));

  talk.offered.commands = [];
  stage.socket.event("COMMANDS_UPDATE", { server_id: talk.club.server.id, bot_user_id: bot.id });
  talk.post("None left");
  await act("None left", "More");
  await shown(page.getByRole("menuitem", { name: "Copy link" }));
  await stage.settled();
  await counted(page.getByRole("menuitem", { name: "Apps" }), 0);
});
