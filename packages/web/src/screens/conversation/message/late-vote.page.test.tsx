import type { Poll } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { channelPath, community, message, newId, user } from "../../../page-stage/fixtures.js";
import { shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

test("the late answer to an own vote leaves the votes that came meanwhile", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const [poll_id, yes, no] = [newId(), newId(), newId()];
  const sent = message(general, ben, "");
  const voted = (votes: number, user_vote: string | null): Poll => ({
    id: poll_id,
    question: "Tea?",
    options: [
      { id: yes, text: "Yes", votes },
      { id: no, text: "No", votes: 0 },
    ],
    total_votes: votes,
    user_vote,
  });
  club.messages[general.id] = [{ ...sent, poll: voted(0, null) }];
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  const poll = page.getByRole("region", { name: "Tea?" });
  await shown(poll);
  await stage.settled();
  const held = stage.server.hold("POST /polls/:id/vote", () => voted(1, yes));
  await poll.getByRole("button", { name: /^Yes/ }).click();
  await held.asked;
  for (const votes of [1, 2]) {
    const updated_poll = voted(votes, yes);
    stage.socket.event("POLL_VOTE", { poll_id, channel_id: general.id, message_id: sent.id, updated_poll });
  }
  await shown(poll.getByText("2 votes", { exact: true }));
  held.release();
  await expect.element(poll.getByRole("button", { name: /^Yes/ })).toBeEnabled();
  await expect.element(poll.getByText("2 votes", { exact: true })).toBeVisible();
});
