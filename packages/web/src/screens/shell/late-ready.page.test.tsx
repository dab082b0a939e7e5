import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { composer, messageWith } from "../../page-stage/conversation.js";
import { channelPath, community, message, user } from "../../page-stage/fixtures.js";
import { shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { readyOf, type World, world } from "../../page-stage/world.js";

// A page has answers of the interface before the first frame of the gateway.

/** A page whose connection begins later. */
async function visitUnconnected(there: World, path: string) {
  const stage = await visit(there, { path, onConnection: () => undefined });
  return {
    async connect() {
      await expect.poll(() => stage.connections).toBe(1);
      stage.socket.event("READY", readyOf(there));
    },
  };
}

test("the new messages in a history that was read before READY are marked", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  club.messages[general.id] = ["Read before", "First unread", "Second unread"].map((text) =>
    message(general, ada, text),
  );
  const ready = { unread_counts: [{ channel_id: general.id, unread_count: 2 }] };
  const { connect } = await visitUnconnected(world(ben, [club], { ready }), channelPath(general));
  await shown(messageWith("Second unread"));
  await connect();
  await shown(page.getByRole("region", { name: "Messages" }).getByText("New", { exact: true }));
});

test("a list of places that was opened before READY is filled by it", async () => {
  const ada = user("ada");
  const club = community([ada]);
  const [general] = club.channels;
  const { connect } = await visitUnconnected(world(ada, [club]), channelPath(general));
  await shown(page.getByRole("link", { name: general.name }));
  await shown(composer());
  await userEvent.keyboard("{Control>}k{/Control}");
  const dialog = page.getByRole("dialog", { name: "Go to" });
  await dialog.getByRole("combobox").fill(club.server.name);
  await shown(dialog.getByText("Nothing with that name."));
  await connect();
  await shown(dialog.getByRole("option", { name: club.server.name }).first());
});
