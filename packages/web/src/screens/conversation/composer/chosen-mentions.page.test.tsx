import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { storedPart } from "../../../page-stage/bot.js";
import { act, composer, sentMessage } from "../../../page-stage/conversation.js";
import { channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

test("chosen members stand in the field as readers see them, also after a reload, and are sent by their usernames", async () => {
  const [ada, ben, bot] = [user("ada"), user("ben_1990"), user("chess-bot-0a1b2c3d")];
  const club = community([ada, ben, bot]);
  const nicknames = new Map([[ben.id, "Ben the Knight"]]);
  club.members = club.members.map((one) => ({ ...one, nickname: nicknames.get(one.user_id) ?? null }));
  const stage = await visit(world(ada, [club]), { path: channelPath(club.channels[0]) });
  await shown(composer());
  await composer().click();
  await userEvent.keyboard("@Ben");
  await shown(page.getByRole("option", { name: /Ben the Knight/ }));
  await userEvent.keyboard("{Enter}and @che");
  await shown(page.getByRole("option", { name: /chess/ }));
  await userEvent.keyboard("{Enter}play");
  await expect.element(composer()).toHaveValue("@Ben the Knight and @chess play");
  await stage.reload();
  await expect.element(composer()).toHaveValue("@Ben the Knight and @chess play");
  await composer().click();
  await userEvent.keyboard("{Enter}");
  await sentMessage(/play/);
  const sent = stage.server
    .requests<{ content: string }>("POST /channels/:id/messages")
    .map(({ body }) => body.content);
  expect(sent).toEqual([`@${ben.username} and @${bot.username} play`]);
  await expect.element(composer()).toHaveValue("");
});

test("the editor of a sent message has the names that readers see, and sends the usernames", async () => {
  const [ada, ben, bot] = [user("ada"), user("ben_1990"), user("chess-bot-0a1b2c3d")];
  const club = community([ada, ben, bot]);
  const [general] = club.channels;
  const nicknames = new Map([[ben.id, "Ben the Knight"]]);
  club.members = club.members.map((one) => ({ ...one, nickname: nicknames.get(one.user_id) ?? null }));
  const content = `@${ben.username} and @${bot.username} play`;
  const sent = message(general, ada, content, { mention_user_ids: [ben.id, bot.id] });
  club.messages[general.id] = [sent];
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  stage.server.on<{ content: string }>("PATCH /messages/:id", ({ body }) => storedPart({ ...sent, ...body }));
  await stage.settled();
  await act("play", "Edit");
  const editor = page.getByRole("textbox", { name: "Edit message" });
  await expect.element(editor).toHaveValue("@Ben the Knight and @chess play");
  await userEvent.keyboard(" now{Enter}");
  await gone(editor);
  const edits = stage.server.requests<{ content: string }>("PATCH /messages/:id").map(({ body }) => body.content);
  expect(edits).toEqual([`${content} now`]);
});
