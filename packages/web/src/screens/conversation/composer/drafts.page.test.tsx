import { expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";
import { composer, messageWith, sentMessage, write } from "../../../page-stage/conversation.js";
import { channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

async function openConversation() {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  await shown(composer());
  await stage.settled();
  return { stage, ben, general };
}

test("a typing user is shown to the other, until the message is there, and again when they go on", async () => {
  const { stage, ben, general } = await openConversation();
  // The message ends it, and not its time.
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now());
  onTestFinished(() => clock.mockRestore());
  const line = page.getByText("ben is typing …");
  for (const text of ["I think", "I hope"]) {
    const timestamp = new Date().toISOString();
    stage.socket.event("TYPING_START", { user_id: ben.id, username: "ben", channel_id: general.id, timestamp });
    await shown(line);
    stage.arrives(message(general, ben, text));
    await shown(messageWith(text));
    await gone(line);
  }
  // The other way round: the others get it from the server.
  await composer().fill("So do I");
  await expect.poll(() => stage.socket.received.map(({ op }) => op)).toContain("TYPING_START");
});

test("an unsent text outlives a reload, and is gone once it is sent", async () => {
  const { stage } = await openConversation();
  await composer().fill("Not finished yet");
  await stage.reload();
  await expect.element(composer()).toHaveValue("Not finished yet");
  await write("Not finished yet");
  await sentMessage("Not finished yet");
  await stage.reload();
  await shown(messageWith("Not finished yet"));
  await expect.element(composer()).toHaveValue("");
});
