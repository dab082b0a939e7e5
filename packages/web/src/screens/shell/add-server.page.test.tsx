import type { Server } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { channel, community, member, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

test("a server that is made here has a hierarchy of roles, and a first channel", async () => {
  const dora = user("dora");
  const there = world(dora);
  const stage = await visit(there);
  stage.server.on("GET /server-templates", () => []);
  const club = community([dora]);
  const { member_count: _count, ...made } = club.server;
  stage.server.on<Partial<Server>>("POST /servers", () => {
    there.communities = [club];
    stage.socket.event("SERVER_JOIN", {
      server: made,
      roles: [club.everyone],
      channel_overrides: {},
      member: member(dora),
    });
    return club.server;
  });
  stage.server.on<{ name: string }>("POST /servers/:id/channels", ({ body: { name } }) => {
    club.channels = [channel(club.server, name)];
    return club.channels[0];
  });
  await page.getByRole("main").getByRole("button", { name: "Add a server" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Chess club");
  await dialog.getByRole("button", { name: "Create" }).click();
  await gone(dialog);
  await shown(page.getByRole("heading", { name: "general", level: 1 }));
  const bodies = stage.server.requests("POST /servers").map(({ body }) => body);
  expect(bodies).toMatchObject([{ name: "Chess club", hierarchy: true }]);
  expect(stage.server.requests("POST /servers/:id/channels").map(({ body }) => body)).toMatchObject([
    { name: "general" },
  ]);
});
