import { permissionBits } from "@parley/contracts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { channel, channelPath, community, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const inHarbour = () => page.getByRole("button", { name: "Create a channel in Harbour" });

/** A server of Ove with a category. */
function makeDock() {
  const people = { ove: user("ove"), mia: user("mia") };
  const dock = community([people.ove, people.mia], { name: "Dock" });
  dock.channels.push(channel(dock.server, "tides", { category: "Harbour" }));
  return { people, dock };
}

test("a channel is made in a category with the button beside its name, and private from the start with a box", async () => {
  const { people, dock } = makeDock();
  const stage = await visit(world(people.ove, [dock]), { path: channelPath(dock.channels[0]) });
  stage.server.on<{ name: string; category: string }>("POST /servers/:id/channels", ({ body: { name, category } }) => {
    const made = channel(dock.server, name, { category, position: 9 });
    dock.channels.push(made);
    stage.socket.event("CHANNEL_CREATE", made);
    return made;
  });
  stage.server.on<{ role_id: string; allow: number; deny: number }>(
    "PUT /channels/:id/overrides",
    ({ body, params: { id = "" } }) => {
      const override = { id: dock.server.id, channel_id: id, user_id: null, ...body };
      stage.socket.event("CHANNEL_OVERRIDE_UPDATE", override);
      return override;
    },
  );
  await inHarbour().click();
  const dialog = page.getByRole("dialog", { name: "Create a channel" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("harbour-masters");
  await dialog.getByRole("checkbox", { name: "Private channel" }).click();
  await dialog.getByRole("button", { name: "Create channel" }).click();
  await gone(dialog);
  await shown(page.getByRole("heading", { name: "harbour-masters", level: 1 }));
  await shown(page.getByRole("link", { name: /harbour-masters\s*, private channel/ }));
  expect(stage.server.requests("POST /servers/:id/channels").map(({ body }) => body)).toMatchObject([
    { name: "harbour-masters", category: "Harbour" },
  ]);
  expect(stage.server.requests("PUT /channels/:id/overrides").map(({ body }) => body)).toEqual([
    { role_id: dock.server.id, allow: 0, deny: permissionBits.VIEW_CHANNEL },
  ]);
});

test("a member who may not create channels has no such button", async () => {
  const { people, dock } = makeDock();
  const stage = await visit(world(people.mia, [dock]), { path: channelPath(dock.channels[0]) });
  await shown(page.getByRole("link", { name: "tides" }));
  await stage.settled();
  await gone(inHarbour());
});
