import { expect, test } from "vitest";
import { isBotName, shownName } from "./bot-name.js";

test.each([
  ["pairing-clerk-bot-2a0b486b", "pairing-clerk", true],
  ["ada", "ada", false],
  ["a_bot_2a0b486b", "a_bot_2a0b486b", false],
  ["x-bot-2a0b486", "x-bot-2a0b486", false],
])("the author %s is shown as %s, as a bot: %s", (username, name, isBot) => {
  expect([shownName(username), isBotName(username)]).toEqual([name, isBot]);
});
