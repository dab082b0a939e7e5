import { expect, test } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { storedPart } from "../../../page-stage/bot.js";
import { act, composer, messageWith } from "../../../page-stage/conversation.js";
import { channelPath, community, created, message, newId, user } from "../../../page-stage/fixtures.js";
import { focused, pressAt } from "../../../page-stage/keys.js";
import { counted, gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

test("one goes on writing in a thread after a message in it was edited", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const root = message(general, ada, "Which opening?");
  let reply = message(general, ada, "", { thread_id: root.id });
  club.messages[general.id] = [root];
  const { server } = await visit(world(ada, [club]), { path: channelPath(general) });
  server.on("GET /channels/:id/messages/:message/thread", () => []);
  server.on<{ content: string; nonce: string }>("POST /channels/:id/messages/:message/thread", ({ body }) => {
    reply = { ...reply, id: newId(), content: body.content };
    return { ...storedPart(reply), nonce: body.nonce };
  });
  server.on<{ content: string }>("PATCH /messages/:id", ({ body }) => {
    reply = { ...reply, content: body.content, edited_at: "2026-01-02T03:05:00.000Z" };
    return storedPart(reply);
  });
  await shown(messageWith("Which opening?"));
  await act("Which opening?", "Reply in a thread");
  const thread = page.getByRole("complementary", { name: "Thread" });
  const field = thread.getByRole("textbox", { name: "Reply in the thread" });
  const editor = thread.getByRole("textbox", { name: "Edit message" });
  const articleWith = (text: string | RegExp) => thread.getByRole("article").filter({ hasText: text });
  const edit = async (row: Locator) => {
    await row.hover();
    await row.getByRole("toolbar").getByRole("button", { name: "Edit", exact: true }).click();
    await shown(editor);
  };
  await field.fill("The Ducth");
  await pressAt(field, "{Enter}");
  await shown(articleWith("The Ducth").filter({ hasNotText: "Sending" }));
  for (const text of ["The Dutch", "The Dutch Defence"]) {
    await edit(articleWith(/The Du/));
    await editor.fill(text);
    await pressAt(editor, "{Enter}");
    await shown(articleWith(text));
    await focused(field);
  }
  expect(server.requests("PATCH /messages/:id").map(({ body }) => body)).toEqual([
    { content: "The Dutch" },
    { content: "The Dutch Defence" },
  ]);
  // The message that the thread is about stands on both sides, and is edited on one of them.
  await edit(articleWith("Which opening?"));
  await counted(page.getByRole("textbox", { name: "Edit message" }), 1);
  await userEvent.keyboard("{Escape}");
  await focused(field);
});

test("a thread stands beside the channel, which counts its replies and does not show them", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const root = message(general, ada, "Which opening?");
  club.messages[general.id] = [root];
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  await shown(composer());
  await stage.settled();
  const reply = message(general, ben, "The Dutch", { thread_id: root.id });
  stage.server.on("GET /channels/:id/messages/:message/thread", () => [reply]);
  stage.socket.event("THREAD_MESSAGE_CREATE", created(reply, club.channels[0]));
  await messageWith("Which opening?").getByRole("button", { name: "1 reply" }).click();
  const thread = page.getByRole("complementary", { name: "Thread" });
  await shown(thread.getByRole("article").filter({ hasText: "The Dutch" }));
  await stage.settled();
  await counted(messageWith("The Dutch"), 0);
  await thread.getByRole("button", { name: "Close" }).click();
  await gone(thread);
});
