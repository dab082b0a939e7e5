import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { channel, channelPath, community, user } from "../../page-stage/fixtures.js";
import { shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";
import { useFirstSteps } from "../../state/community/first-steps.js";

test("the step to make a channel is not done by the one that came with the server, but by a later one", async () => {
  const ada = user("ada");
  const club = community([ada]);
  const [general] = club.channels;
  const after = (seconds: number) => new Date(Date.parse(club.server.created_at) + seconds * 1_000).toISOString();
  general.created_at = after(2);
  useFirstSteps.getState().begin(club.server.id, "owner");
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  const step = (name: RegExp) => page.getByRole("button", { name });
  await shown(step(/^Create a channel for a topic$/));
  stage.socket.event("CHANNEL_CREATE", channel(club.server, "endgames", { created_at: after(60) }));
  await expect.element(step(/^Create a channel for a topic done$/)).toBeVisible();
});
