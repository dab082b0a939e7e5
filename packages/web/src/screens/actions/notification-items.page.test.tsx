import type { NotificationSettings } from "@parley/client";
import { expect, test } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { act, composer } from "../../page-stage/conversation.js";
import { channel, channelPath, community, message, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

// The menus of servers, channels and threads set the notifications of these.

type Part = "servers" | "channels" | "threads";
type Changes = Partial<Record<Part, Record<string, object>>>;

const usual = {
  servers: { level: null, muted_until: null, suppress_everyone: false },
  channels: { level: null, muted_until: null },
  threads: { level: "all" },
} as const;

/** A server of Ada and Ben with #noisy, on Ada's page; the settings are hers. */
async function openTalk(path?: string) {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const noisy = channel(club.server, "noisy", { position: 1 });
  club.channels.push(noisy);
  const there = world(ada, [club]);
  const stage = await visit(there, { path: path ?? channelPath(club.channels[0]) });
  const change = (changes: Changes) => {
    const { notifications } = there;
    for (const part of ["servers", "channels", "threads"] as const)
      for (const [id, entry] of Object.entries(changes[part] ?? {})) {
        Object.assign(notifications[part], { [id]: { ...usual[part], ...notifications[part][id], ...entry } });
      }
    const all: NotificationSettings = structuredClone(notifications);
    stage.socket.event("NOTIFICATIONS_UPDATE", all);
    return all;
  };
  stage.server.on<Changes>("PATCH /users/@me/notifications", ({ body }) => change(body));
  await stage.settled();
  const sent = () => stage.server.requests<Changes>("PATCH /users/@me/notifications").map(({ body }) => body);
  return { stage, ada, ben, club, noisy, change, sent };
}

async function choose(link: Locator, entry: string): Promise<void> {
  await link.click({ button: "right" });
  await page.getByRole("menuitem", { name: "Notifications" }).click();
  await page
    .getByRole("menuitem", { name: entry })
    .or(page.getByRole("menuitemcheckbox", { name: entry }))
    .click();
}

const noisyLink = (name: RegExp = /noisy/) =>
  page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name });
const unreadServer = () => page.getByRole("navigation", { name: "Servers" }).getByRole("link", { name: /unread/ });

test("a muted channel stays quiet in the list until it is heard of again", async () => {
  const { stage, ada, ben, noisy, sent } = await openTalk();
  await choose(noisyLink(), "Mute until I turn it back on");
  await shown(noisyLink(/noisy.*, muted/));
  expect(sent()).toEqual([{ channels: { [noisy.id]: { muted_until: "forever" } } }]);
  stage.arrives(message(noisy, ben, `@${ada.username} come here`, { mention_user_ids: [ada.id] }));
  // An element that is shown after the message has its effect.
  stage.socket.event("CHANNEL_CREATE", channel({ id: noisy.server_id }, "mark", { position: 2 }));
  await shown(page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: "mark" }));
  await expect.element(noisyLink()).toHaveTextContent(/^noisy, muted$/);
  await choose(noisyLink(), "Unmute");
  await shown(noisyLink(/noisy.*, unread/));
  expect(sent().at(-1)).toEqual({ channels: { [noisy.id]: { muted_until: null } } });
});

test("a channel that is muted in another tab stays quiet beside the servers here, too", async () => {
  const { stage, ada, ben, noisy, change } = await openTalk("/friends");
  change({ channels: { [noisy.id]: { muted_until: "forever" } } });
  await stage.settled();
  stage.arrives(message(noisy, ben, `@${ada.username} come here`, { mention_user_ids: [ada.id] }));
  await stage.settled();
  await gone(unreadServer());
  change({ channels: { [noisy.id]: { muted_until: null } } });
  await shown(unreadServer());
});

test("the level of a server is set in its menu", async () => {
  const { club, sent } = await openTalk();
  const rail = page.getByRole("navigation", { name: "Servers" }).getByRole("link", { name: club.server.name });
  await choose(rail, "All messages");
  await expect.poll(sent).toEqual([{ servers: { [club.server.id]: { level: "all" } } }]);
});

test("the level of a thread is set beside it, and shown once the server has followed it for an author there", async () => {
  const { stage, ben, club, change, sent } = await openTalk();
  const [general] = club.channels;
  const root = message(general, ben, "Shall we?");
  await shown(composer());
  stage.arrives(root);
  stage.server.on("GET /channels/:id/messages/:message/thread", () => []);
  stage.server.on("GET /channels/:id/messages/:message", () => root);
  await act("Shall we?", "Reply in a thread");
  const panel = page.getByRole("complementary", { name: "Thread" });
  const bell = panel.getByRole("button", { name: "Notifications" });
  await bell.click();
  const chosen = page.getByRole("menuitemcheckbox", { name: "As in the channel", checked: true });
  await shown(chosen);
  await userEvent.keyboard("{Escape}");
  await gone(chosen);
  change({ threads: { [root.id]: { level: "all" } } });
  await bell.click();
  await shown(page.getByRole("menuitemcheckbox", { name: "All messages", checked: true }));
  await page.getByRole("menuitemcheckbox", { name: "Nothing" }).click();
  await expect.poll(sent).toEqual([{ threads: { [root.id]: { level: "nothing" } } }]);
});
