import { expect, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { composer, messageWith, sentMessage, write } from "../../page-stage/conversation.js";
import { refuse } from "../../page-stage/fake-server.js";
import { channel, channelPath, community, madeAt, message, newId, user } from "../../page-stage/fixtures.js";
import { loginForm, welcome } from "../../page-stage/login.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

// Servers, names, sessions and clocks as nobody wants them.

test("a channel that is not for the reader says so", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const hidden = channel(club.server, "secret", { position: 1 });
  await visit(world(ben, [club]), { path: channelPath(hidden) });
  await shown(page.getByText("It doesn’t exist, or you don’t have access to it."));
});

test("a server with 500 channels opens, and each is found by its name", async () => {
  const ada = user("ada");
  const club = community([ada]);
  for (let n = 1; n <= 500; n += 1)
    club.channels.push(
      channel(club.server, `channel-${n}`, { position: n, category: `Category ${Math.floor(n / 50)}` }),
    );
  await visit(world(ada, [club]), { path: channelPath(club.channels[0]) });
  await shown(composer());
  await page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: "channel-487" }).click();
  await shown(page.getByRole("heading", { name: "channel-487", level: 1 }));
  await shown(page.getByText("No messages yet. Say hello!"));
});

test("names that look alike are distinguished by their cards", async () => {
  const [ada, latin, digit] = [user("ada"), user("maxl"), user("max1")];
  const club = community([ada, latin, digit]);
  const [general] = club.channels;
  club.messages[general.id] = [message(general, latin, "I am maxl"), message(general, digit, "I am max1")];
  await visit(world(ada, [club]), { path: channelPath(general) });
  for (const { username } of [latin, digit]) {
    await messageWith(`I am ${username}`).getByRole("button", { name: username, exact: true }).click();
    const name = page.getByRole("dialog").getByRole("heading", { name: username });
    await shown(name);
    await userEvent.keyboard("{Escape}");
    await gone(name);
  }
});

test("a page whose session was ended elsewhere shows the login", async () => {
  const stage = await visit(world(user("nils")));
  await shown(welcome());
  await stage.settled();
  stage.endSession(refuse(401, "Invalid or expired refresh token"));
  await shown(loginForm());
  await stage.reload();
  await shown(loginForm());
});

test.each([
  ["an hour ahead", 3_600_000],
  ["an hour behind", -3_600_000],
])(
  "with a clock %s a page shows messages in their order, who types, and files that follow",
  async (_text, offsetMs) => {
    const real = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: real + offsetMs });
    onTestFinished(() => void vi.useRealTimers());
    const [wes, ben] = [user("wes"), user("ben")];
    const club = community([wes, ben]);
    const [general] = club.channels;
    const stage = await visit(world(wes, [club]), { path: channelPath(general) });
    await shown(composer());
    await stage.settled();
    let seconds = 0;
    const byServer = () => ({ created_at: new Date(real + 1_000 * ++seconds).toISOString() });
    stage.server.on<{ content: string; nonce: string }>("POST /channels/:id/messages", ({ params, body }) => {
      const mine = message({ id: params.id ?? "" }, wes, body.content, byServer());
      stage.arrives(mine);
      const { reactions: _1, previews: _2, attachments: _3, author: _4, ...stored } = mine;
      return { ...stored, nonce: body.nonce };
    });
    const texts = ["the first", "the second", "the third", "the fourth"];
    for (const [n, text] of texts.entries()) {
      if (n % 2 === 0) await write(text);
      else stage.arrives(message(general, ben, text, byServer()));
      await sentMessage(text);
    }
    const rows = () => page.getByRole("region", { name: "Messages" }).getByRole("article").elements();
    const shownTexts = () =>
      rows().map(({ textContent }) => texts.find((text) => textContent.includes(text)) ?? textContent);
    await expect.poll(shownTexts).toEqual(texts);
    stage.socket.event("TYPING_START", {
      channel_id: general.id,
      user_id: ben.id,
      username: "ben",
      timestamp: byServer().created_at,
    });
    await shown(page.getByText(/ is typing/));

    // Its client uploads the file after the message.
    const following = message(general, ben, "A file follows", byServer());
    stage.arrives(following);
    await shown(messageWith("A file follows"));
    const late = {
      ...{ id: newId(), message_id: following.id, filename: "late.txt", mime_type: "text/plain", file_size: 4 },
      ...{ url: `/files/${following.id}/late.txt`, width: null, height: null, created_at: madeAt },
    };
    stage.socket.event("ATTACHMENT_CREATE", {
      ...{ channel_id: general.id, message_id: following.id, attachments: [late] },
    });
    await shown(messageWith("A file follows").getByRole("link", { name: /late\.txt/ }));
  },
);
