import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { messageWith } from "../../../page-stage/conversation.js";
import { channel, channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { entry } from "../../../page-stage/menus.js";
import { shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

test("a message is forwarded with a text of one's own to a channel chosen by its letters", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const games = channel(club.server, "games", { position: 1 });
  club.channels.push(games);
  const original = message(general, ben, "Who plays white?");
  club.messages[general.id] = [original];
  const { server } = await visit(world(ada, [club]), { path: channelPath(general) });
  server.on<{ content: string }>("POST /messages/:id/forward", ({ body }) => {
    const { reactions, attachments, previews, author, ...sent } = message(games, ada, body.content);
    return sent;
  });
  await messageWith("Who plays white?").click({ button: "right" });
  await entry("Forward").click();
  const dialog = page.getByRole("dialog", { name: "Forward" });
  await dialog.getByRole("textbox", { name: "Add a text" }).fill("For you");
  await dialog.getByRole("combobox", { name: "Where to?" }).fill("gam");
  await shown(dialog.getByRole("option", { name: "games" }));
  await userEvent.keyboard("{Enter}");
  await shown(page.getByText("Forwarded to games."));
  const [request] = server.requests("POST /messages/:id/forward");
  expect(request?.path).toBe(`/messages/${original.id}/forward`);
  expect(request?.body).toEqual({ channel_id: games.id, content: "For you", nonce: expect.any(String) });
});

test("a forwarded message shows its text, and links the original for those who can open it", async () => {
  const [ada, ben] = [user("ada"), user("ben", { display_name: "Benedict" })];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const games = channel(club.server, "games", { position: 1 });
  club.channels.push(games);
  const original = message(games, ben, "Chess at **eight**");
  const { id, username, avatar_url, display_name } = { ...ben, display_name: "Benedict" };
  const forwarded = (server_id: string, channel_id: string) => ({
    ...{ server_id, channel_id, message_id: original.id, content: original.content, attachments: [] },
    ...{ author: { id, username, avatar_url, display_name, nickname: null }, created_at: original.created_at },
  });
  club.messages[games.id] = [original];
  club.messages[general.id] = [
    message(general, ada, "Look", { forwarded: forwarded(club.server.id, games.id) }),
    message(general, ada, "Elsewhere", { forwarded: forwarded(original.id, original.id) }),
  ];
  await visit(world(ada, [club]), { path: channelPath(general) });
  await shown(messageWith("Look").getByText("eight"));
  await shown(messageWith("Elsewhere").getByText("Forwarded from Benedict"));
  await expect.poll(() => messageWith("Elsewhere").getByRole("link").elements()).toEqual([]);
  await messageWith("Look").getByRole("link", { name: "Forwarded from Benedict" }).click();
  await shown(page.getByRole("heading", { name: "games", exact: true }));
});
