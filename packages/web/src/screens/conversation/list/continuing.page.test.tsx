import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { composer, messageWith, sentMessage, write } from "../../../page-stage/conversation.js";
import { channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { readyOf, world } from "../../../page-stage/world.js";

test("a connection that closes in the middle of a conversation costs a quiet line, and continuing fills the gap", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const there = world(ada, [club]);
  const stage = await visit(there, {
    path: channelPath(general),
    onConnection(connection) {
      if ((connection.query.get("s") ?? "") === "") connection.event("READY", readyOf(there));
    },
  });
  const line = page.getByText("Connection lost. Reconnecting …");
  await shown(composer());
  await stage.settled();
  stage.arrives(message(general, ben, "Ben says 1."));
  await write("Ada says 1.");
  await sentMessage("Ada says 1.");

  stage.socket.close();
  await shown(line);
  const reads = () => stage.server.requests("GET /channels/:id/messages").length;
  const before = reads();
  await expect.poll(() => stage.connections).toBe(2);
  expect(stage.socket.query.get("s")).not.toBe("");
  // The gateway replays the events of the time without a connection.
  for (const text of ["Ben says 2.", "Ben says 3."]) stage.arrives(message(general, ben, text));
  stage.socket.event("RESUMED", { replayed: 2, presence: "current", passive: [] });
  await gone(line);
  await write("Ada says 2.");
  await sentMessage("Ada says 2.");
  const said = () =>
    messageWith(/says/)
      .elements()
      .map(({ textContent }) => /(Ada|Ben) says \d\./.exec(textContent ?? "")?.[0]);
  await expect.poll(said).toEqual(["Ben says 1.", "Ada says 1.", "Ben says 2.", "Ben says 3.", "Ada says 2."]);
  expect(reads()).toBe(before);
});
