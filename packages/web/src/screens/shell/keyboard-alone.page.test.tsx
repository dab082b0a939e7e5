import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { storedPart } from "../../page-stage/bot.js";
import { composer, messageWith, sentMessage } from "../../page-stage/conversation.js";
import { channel, channelPath, community, created, madeAt, user } from "../../page-stage/fixtures.js";
import { focused } from "../../page-stage/keys.js";
import { shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

test("everything goes by keyboard: log in, go to a channel, write, change what was written", async () => {
  const ada = user("ada");
  const club = community([ada]);
  const openings = channel(club.server, "openings");
  club.channels = [club.channels[0], openings];
  const stage = await visit(world(ada, [club]), { isLoggedOut: true });
  stage.server.on<{ content: string }>("PATCH /messages/:id", ({ params: { id }, body }) => {
    const sent = club.messages[openings.id]?.find((one) => one.id === id);
    if (sent === undefined) throw new Error("There is no such message.");
    const changed = { ...sent, content: body.content, edited_at: madeAt };
    const { attachments: _files, ...event } = created(changed, openings);
    stage.socket.event("MESSAGE_UPDATE", event);
    return storedPart(changed);
  });
  const type = (keys: string) => userEvent.keyboard(keys);
  await focused(page.getByRole("textbox", { name: "Username" }));
  await type(ada.username);
  await type("{Tab}");
  await type("a good password");
  await type("{Enter}");
  await shown(page.getByRole("navigation", { name: "Servers" }));
  expect(stage.server.requests("POST /auth/login").map(({ body }) => body)).toMatchObject([
    { username: ada.username, password: "a good password" },
  ]);
  await focused(composer());
  await type("{Control>}k{/Control}");
  const search = page.getByRole("dialog", { name: "Go to" }).getByRole("combobox");
  await focused(search);
  await type("openi");
  await shown(page.getByRole("option", { name: /openings/, selected: true }));
  await type("{Enter}");
  await focused(page.getByRole("textbox", { name: "Message openings" }));
  await type("Writen by keyboard");
  await type("{Enter}");
  await sentMessage("Writen by keyboard");
  expect(location.pathname).toBe(`/app${channelPath(openings)}`);
  await type("{ArrowUp}");
  await focused(page.getByRole("textbox", { name: "Edit message" }));
  await type("{Control>}a{/Control}");
  await type("Written by keyboard");
  await type("{Enter}");
  await shown(messageWith("Written by keyboard").getByText("(edited)"));
  expect(stage.server.requests("PATCH /messages/:id").map(({ body }) => body)).toEqual([
    { content: "Written by keyboard" },
  ]);
  await focused(composer());
});
