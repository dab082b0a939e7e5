import type { Channel } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { channel, community, user } from "../../page-stage/fixtures.js";
import { counted, gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const offers = () => page.getByRole("button", { name: "Create a channel" });

/** A server without channels, on the page of its owner or of a member. */
async function openEmptyHall(whose: "ove" | "mia") {
  const people = { ove: user("ove"), mia: user("mia") };
  const full = community([people.ove, people.mia], { name: "Empty hall" });
  const channels: Channel[] = [];
  const stage = await visit(world(people[whose], [full]), {
    path: `/servers/${full.server.id}`,
    prepare: (server) => server.on("GET /servers/:id/channels", () => channels),
  });
  return { stage, club: full, channels };
}

test("in a server without channels those who may are offered to create the first one", async () => {
  const { stage, club, channels } = await openEmptyHall("ove");
  stage.server.on<{ name: string }>("POST /servers/:id/channels", ({ body: { name } }) => {
    const first = channel(club.server, name);
    channels.push(first);
    club.channels = [first];
    stage.socket.event("CHANNEL_CREATE", first);
    return first;
  });
  await counted(offers(), 2);
  await page.getByRole("main").getByRole("button", { name: "Create a channel" }).click();
  const dialog = page.getByRole("dialog", { name: "Create a channel" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("first");
  await dialog.getByRole("button", { name: "Create channel" }).click();
  await shown(page.getByRole("heading", { name: "first", level: 1 }));
  await gone(dialog);
  expect(stage.server.requests("POST /servers/:id/channels").map(({ body }) => body)).toMatchObject([
    { name: "first" },
  ]);
  await page.getByRole("region", { name: "Messages" }).getByRole("button", { name: "Invite people" }).click();
  await shown(page.getByRole("dialog", { name: /^Invite people/ }));
});

test("in a server without channels members read that there are none that they can see", async () => {
  const { stage } = await openEmptyHall("mia");
  await shown(page.getByRole("main").getByRole("heading", { name: "There are no channels here that you can see." }));
  await stage.settled();
  await counted(offers(), 0);
});
