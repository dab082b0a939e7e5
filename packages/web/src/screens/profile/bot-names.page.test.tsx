import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { openWithBot } from "../../page-stage/bot.js";
import { composer, messageWith } from "../../page-stage/conversation.js";
import { newId } from "../../page-stage/fixtures.js";
import { shown } from "../../page-stage/seeing.js";

const account = "chess-bot-0a1b2c3d";
// biome-ignore lint/performance/useDomNodeTextContent: what is hidden does not count.
const seen = () => document.body.innerText;

test("a bot has one name and one mark in messages, members and completion, also after a rename", async () => {
  const commands = [
    {
      id: newId(),
      name: "play",
      description: "Plays",
      context: "server" as const,
      options: [],
      default_permissions: null,
    },
  ];
  const { stage, bot, club, offered, post } = await openWithBot(commands);
  post("Your move");
  const author = messageWith("Your move").getByRole("button", { name: "Chess", exact: true });
  await shown(author);
  await shown(messageWith("Your move").getByText("Bot", { exact: true }));
  const members = page.getByRole("region", { name: "Members" });
  await shown(members.getByText("Chess", { exact: true }));
  await composer().fill("@ches");
  await shown(page.getByRole("option", { name: /Chess/ }));
  expect(seen()).not.toContain(account);
  offered.name = "Chess master";
  stage.socket.event("COMMANDS_UPDATE", { server_id: club.server.id, bot_user_id: bot.id });
  await shown(messageWith("Your move").getByRole("button", { name: "Chess master", exact: true }));
  await shown(members.getByText("Chess master", { exact: true }));
});
